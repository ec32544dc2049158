import type { Rounds } from '../../contract/runs.ts';
import { useResource } from '../api/use-resource.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, metricText } from '../parts/number-text.ts';
import { useQuery } from '../router.ts';
import {
  metricLines,
  panelLines,
  pickLines,
  simulatorLines,
  SOURCE_TEXTS,
  SOURCES,
  type ShownRound,
  type Source,
} from './round-lines.ts';
import { runPath, type ShownRun } from './run-resource.ts';

/** More lines than this are not told apart. */
const LINES_MAX = 8;
const X_LABEL = 'env steps';

/** How a run went, round by round. All rounds come at once, so they are not asked for at every change. */
export function CurvesPart({ run }: { readonly run: ShownRun }) {
  const resource = useResource<Rounds>(runPath(run.id, '/rounds'), { run: run.id, everyMs: 5_000 });
  return (
    <Loaded resource={resource} what="the rounds">
      {({ rounds }) =>
        rounds.length === 0 ? (
          <p class="empty">No round is completed yet.</p>
        ) : (
          <>
            <Section title="Train against validation and test" about={PANELS_ABOUT}>
              <LineChart
                title="Returns by panel"
                lines={panelLines(rounds)}
                xLabel={X_LABEL}
                yLabel="return"
                heightPx={320}
                bandText="Bands reach from the worst simulator of a panel to its best; n is the number of simulators."
              />
            </Section>
            <SimulatorCurves rounds={rounds} />
            <TrainingMetrics rounds={rounds} />
          </>
        )
      }
    </Loaded>
  );
}

const PANELS_ABOUT =
  'A line is the mean return over the simulators of a panel. Where train rises and test does not, the learners fit what they are trained on.';

function SimulatorCurves({ rounds }: { readonly rounds: readonly ShownRound[] }) {
  const measured = SOURCES.filter((source) => simulatorLines(rounds, source).length > 0);
  const [asked, setSource] = useQuery('from', measured[0] ?? 'training');
  const [from, setFrom] = useQuery('which', 'worst');
  const source = measured.find((each) => each === asked) ?? measured[0];
  if (source === undefined) return null;
  const all = simulatorLines(rounds, source);
  const lines = all.length <= LINES_MAX ? all : pickLines(all, { count: LINES_MAX, from: from as 'worst' | 'best' });
  return (
    <Section
      title="Simulator by simulator"
      about={aboutLines(all.length)}
      tools={
        <>
          <Choice label="Returns" value={source} options={sourceOptions(measured)} onChoose={setSource} />
          {all.length > LINES_MAX && <Choice label="Show" value={from} options={ENDS} onChoose={setFrom} />}
        </>
      }
    >
      <LineChart
        title={`Returns by simulator, ${SOURCE_TEXTS[source]}`}
        lines={lines}
        xLabel={X_LABEL}
        yLabel="return"
        heightPx={300}
      />
    </Section>
  );
}

const ENDS = [
  ['worst', `the ${LINES_MAX} worst`],
  ['best', `the ${LINES_MAX} best`],
] as const;

const sourceOptions = (sources: readonly Source[]) => sources.map((source) => [source, SOURCE_TEXTS[source]] as const);

const aboutLines = (count: number): string =>
  count <= LINES_MAX
    ? 'A line is the mean return over the episodes of a round on one simulator.'
    : `A line is the mean return over the episodes of a round on one simulator. ${countText(count)} were played; ${LINES_MAX} are shown, by their last return.`;

/** What the algorithm measured of itself, a small chart each. */
function TrainingMetrics({ rounds }: { readonly rounds: readonly ShownRound[] }) {
  const lines = metricLines(rounds);
  if (lines.length === 0) return null;
  return (
    <Section title="Training" about="What the algorithm measured of itself in every round.">
      <div class="charts small-charts">
        {lines.map((line) => (
          <LineChart
            key={line.label}
            title={metricText(line.label)}
            lines={[line]}
            xLabel={X_LABEL}
            yLabel=""
            heightPx={150}
            isLegendShown={false}
          />
        ))}
      </div>
    </Section>
  );
}
