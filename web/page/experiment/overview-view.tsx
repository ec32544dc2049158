import type { Results } from '../../contract/results.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { metricText } from '../parts/number-text.ts';
import { Orders } from '../parts/orders.tsx';
import type { ViewProps } from '../view.ts';
import { ExperimentFacts } from './experiment-facts.tsx';
import { ExperimentFrame, type ShownExperiment } from './experiment-frame.tsx';
import { MetricChoice, useMetric } from './metric-choice.tsx';
import { ResultTable } from './result-table.tsx';
import { ordersFor } from './orders-for.ts';

/** What an experiment is, and its seed × variant table. */
export function OverviewView({ params }: ViewProps) {
  return (
    <ExperimentFrame experiment={params['experiment']!} part="Overview">
      {(experiment) => (
        <>
          {experiment.description !== '' && <p class="lead">{experiment.description}</p>}
          <Orders
            path={`/experiments/${encodeURIComponent(experiment.id)}`}
            what={`experiment ${experiment.name}`}
            orders={ordersFor(experiment.runs)}
          />
          <ResultsPart experiment={experiment} />
          <ExperimentFacts experiment={experiment} />
        </>
      )}
    </ExperimentFrame>
  );
}

function ResultsPart({ experiment }: { readonly experiment: ShownExperiment }) {
  const { metric, round } = useMetric();
  const path = pathWith(`/experiments/${encodeURIComponent(experiment.id)}/results`, { metric, round });
  const results = useResource<Results>(path, { experiment: experiment.id, everyMs: 3_000 });
  return (
    <Section
      title={`Seed × variant: ${metricText(metric)}`}
      tools={<MetricChoice metrics={experiment.metrics} hasRounds />}
    >
      <Loaded resource={results} what="the table">
        {(data) => <ResultTable results={data} />}
      </Loaded>
    </Section>
  );
}
