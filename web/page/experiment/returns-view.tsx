import type { SimulatorReturns } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { Section } from '../parts/heading.tsx';
import { HeatMatrix } from '../parts/heat-matrix.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { numberText } from '../parts/number-text.ts';
import type { ViewProps } from '../view.ts';
import { NamedFrame } from './experiment-frame.tsx';

type Row = Decoded<SimulatorReturns>['rows'][number];

const PANELS = [
  ['test', 'Held out (test)', 'Never trained on, never mined, never chosen on.'],
  ['validation', 'Validation', 'Never trained on; checkpoints are chosen and failures are mined here.'],
  ['train', 'Trained on', 'In the pool at the end of training.'],
] as const;

/** What each variant got on every simulator at its end. */
export function ReturnsView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Per simulator">
      {(id) => <ReturnsPart experiment={id} />}
    </NamedFrame>
  );
}

function ReturnsPart({ experiment }: { readonly experiment: string }) {
  const path = `/experiments/${encodeURIComponent(experiment)}/simulator-returns`;
  const returns = useResource<SimulatorReturns>(path, { experiment, everyMs: 5_000 });
  return (
    <Loaded resource={returns} what="the returns">
      {({ rows }) =>
        rows.length === 0 ? (
          <p class="empty">No run has been evaluated at its end yet.</p>
        ) : (
          PANELS.map(([panel, title, about]) => (
            <Panel key={panel} title={title} about={about} rows={rows.filter((row) => row.panel === panel)} />
          ))
        )
      }
    </Loaded>
  );
}

function Panel({
  title,
  about,
  rows,
}: {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly Row[];
}) {
  if (rows.length === 0) return null;
  const simulators = [...new Set(rows.map(({ simulator }) => simulator))];
  const variants = [...new Set(rows.map(({ variant }) => variant))];
  const at = new Map(rows.map((row) => [JSON.stringify([row.simulator, row.variant]), row]));
  const rowOf = (simulator: string, variant: string) => at.get(JSON.stringify([simulator, variant]));
  return (
    <Section title={title} about={`${about} Mean return over runs, ± its standard deviation over them.`}>
      <HeatMatrix
        caption={`${title}: mean return by simulator and variant`}
        corner="Simulator"
        rows={simulators}
        columns={variants}
        values={simulators.map((simulator) => variants.map((variant) => rowOf(simulator, variant)?.mean ?? null))}
        note={(row, column) => {
          const { std, n } = rowOf(simulators[row]!, variants[column]!)!;
          return (
            <small>
              ± {numberText(std)}, n = {n}
            </small>
          );
        }}
      />
    </Section>
  );
}
