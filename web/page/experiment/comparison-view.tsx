import type { Comparison } from '../../contract/results.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { seriesColor } from '../charts/line.ts';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { metricText } from '../parts/number-text.ts';
import { useQuery } from '../router.ts';
import type { ViewProps } from '../view.ts';
import { ComparedPairs } from './compared-pairs.tsx';
import { ComparedVariants } from './compared-variants.tsx';
import { ExperimentFrame, type ShownExperiment } from './experiment-frame.tsx';
import { MetricChoice, useMetric } from './metric-choice.tsx';
import type { ShownComparison } from './shown-comparison.ts';

/** Statistics between variants. */
export function ComparisonView({ params }: ViewProps) {
  return (
    <ExperimentFrame experiment={params['experiment']!} part="Comparison">
      {(experiment) => <ComparisonPart experiment={experiment} />}
    </ExperimentFrame>
  );
}

function ComparisonPart({ experiment }: { readonly experiment: ShownExperiment }) {
  const { metric } = useMetric();
  const [baseline, setBaseline] = useQuery('baseline');
  const path = pathWith(`/experiments/${encodeURIComponent(experiment.id)}/comparison`, { metric, baseline });
  const comparison = useResource<Comparison>(path, { experiment: experiment.id, everyMs: 10_000 });
  const first = experiment.variants[0]?.name ?? '';
  return (
    <>
      <div class="tools filters">
        <MetricChoice metrics={experiment.metrics} />
        <Choice
          label="Compared with"
          value={baseline === '' ? first : baseline}
          options={experiment.variants.map(({ name }) => [name, name])}
          onChoose={(name) => setBaseline(name === first ? '' : name)}
        />
      </div>
      <Loaded resource={comparison} what="the comparison">
        {(data) => <Shown comparison={data} />}
      </Loaded>
    </>
  );
}

function Shown({ comparison }: { readonly comparison: ShownComparison }) {
  const { metric, variants, thresholds, warnings } = comparison;
  const profiles = variants.map(({ name, profile, n }, index) => ({
    label: name,
    color: seriesColor(index),
    points: profile.map((share, at) => ({ x: thresholds[at]!, y: share, n })),
  }));
  return (
    <>
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <Section
        title="Interquartile mean"
        about="The mean of the middle half of the runs, with its 95 % interval; none below five runs."
      >
        <ComparedVariants metric={metric} variants={variants} />
      </Section>
      <Section
        title="Against the baseline"
        about="The probability that a run of the one has more than a run of the other; paired differences by seed; p corrected after Holm."
      >
        <ComparedPairs pairs={comparison.pairs} />
      </Section>
      <Section title="Performance profiles" about="For each threshold, the share of runs that have more.">
        <LineChart
          title="Share of runs"
          lines={profiles}
          xLabel={metricText(metric)}
          yLabel="share of runs"
          yRange={[0, 1]}
        />
      </Section>
    </>
  );
}
