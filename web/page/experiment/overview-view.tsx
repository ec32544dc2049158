import type { Results } from '../../contract/results.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { metricText } from '../parts/number-text.ts';
import { Orders } from '../parts/orders.tsx';
import type { ViewProps } from '../view.ts';
import { evaluatedRounds } from './evaluated-rounds.ts';
import { ExperimentFacts } from './experiment-facts.tsx';
import { ExperimentFrame } from './experiment-frame.tsx';
import { MetricChoice, useMetric } from './metric-choice.tsx';
import { ResultTable } from './result-table.tsx';
import { ordersFor } from './orders-for.ts';

/** What an experiment is, and its seed × variant table, which is asked for beside the experiment and not after it. */
export function OverviewView({ params }: ViewProps) {
  const name = params['experiment']!;
  const { metric, round } = useMetric();
  const path = pathWith(`/experiments/${encodeURIComponent(name)}/results`, { metric, round });
  const results = useResource<Results>(path, { experiment: name, everyMs: 3_000 });
  return (
    <ExperimentFrame experiment={name} part="Overview">
      {(experiment) => (
        <>
          {experiment.description !== '' && <p class="lead">{experiment.description}</p>}
          <Orders
            path={`/experiments/${encodeURIComponent(experiment.id)}`}
            what={`experiment ${experiment.name}`}
            orders={ordersFor(experiment.runs)}
          />
          <Section
            title={`Seed × variant: ${metricText(metric)}`}
            tools={<MetricChoice metrics={experiment.metrics} evaluatedRounds={evaluatedRounds(experiment)} />}
          >
            <Loaded resource={results} what="the table">
              {(data) => <ResultTable results={data} />}
            </Loaded>
          </Section>
          <ExperimentFacts experiment={experiment} />
        </>
      )}
    </ExperimentFrame>
  );
}
