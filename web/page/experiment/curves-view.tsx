import type { Curves } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { seriesColor, type Line } from '../charts/line.ts';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { metricText } from '../parts/number-text.ts';
import { useToggles, Toggles } from '../parts/toggles.tsx';
import type { ViewProps } from '../view.ts';
import { NamedFrame } from './experiment-frame.tsx';

type Variants = Decoded<Curves>['variants'];

const RETURNS = ['train_return', 'heldout_return', 'validation_return', 'worst_heldout'] as const;
const BAND = 'Bands: the 95 % interval over seeds from five seeds on, below that the lowest and the highest.';

/** Returns on the way: trained on against held out, seeds folded into a line with a band. */
export function CurvesView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Curves">
      {(id) => <CurvesPart experiment={id} />}
    </NamedFrame>
  );
}

function CurvesPart({ experiment }: { readonly experiment: string }) {
  const curves = useResource<Curves>(`/experiments/${encodeURIComponent(experiment)}/curves`, {
    experiment,
    everyMs: 5_000,
  });
  return (
    <Loaded resource={curves} what="the curves">
      {({ variants }) => <Shown variants={variants} />}
    </Loaded>
  );
}

function Shown({ variants }: { readonly variants: Variants }) {
  const names = variants.map(({ name }) => name);
  const [isShown, toggle] = useToggles('without');
  const shown = variants.filter(({ name }) => isShown(name));
  return (
    <>
      <Section
        title="Trained on against held out"
        about="Solid: held out (the test panel). Dashed: what the run trained on at the time. Where they part, the policy fits its simulators and not the task."
        tools={
          <Toggles
            label="Variants"
            names={names}
            colors={names.map((_, index) => seriesColor(index))}
            isShown={isShown}
            onToggle={toggle}
          />
        }
      >
        <LineChart
          title="Mean return"
          lines={shown.flatMap((variant) => pairOf(variant, names.indexOf(variant.name)))}
          xLabel="env steps"
          yLabel="mean return"
          heightPx={360}
          bandText={BAND}
        />
      </Section>
      <Section title="Each return by itself">
        <div class="charts">
          {RETURNS.map((key) => (
            <LineChart
              key={key}
              title={metricText(key)}
              lines={shown.map((variant) => lineOf(variant, key, names.indexOf(variant.name), variant.name))}
              xLabel="env steps"
              yLabel={metricText(key)}
              heightPx={220}
            />
          ))}
        </div>
      </Section>
    </>
  );
}

const pairOf = (variant: Variants[number], index: number): Line[] => [
  lineOf(variant, 'heldout_return', index, `${variant.name}, held out`),
  { ...lineOf(variant, 'train_return', index, `${variant.name}, trained on`), isDashed: true },
];

function lineOf(variant: Variants[number], key: (typeof RETURNS)[number], index: number, label: string): Line {
  return {
    label,
    color: seriesColor(index),
    points: variant[key].map(({ env_steps, mean, low, high, n }) => ({ x: env_steps, y: mean, low, high, n })),
  };
}
