import { useId } from 'preact/hooks';
import type { Pool } from '../../contract/simulators.ts';
import { useResource } from '../api/use-resource.ts';
import { AsTable } from '../parts/as-table.tsx';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, numberText, pluralText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { useQuery } from '../router.ts';
import { lanePath, poolLanes, staysText, type Lane } from './pool-lanes.ts';
import { failureAddress, runPath, type ShownRun } from './run-resource.ts';

/** Which simulators a run trained on, from when to when and how much. */
export function PoolPart({ run }: { readonly run: ShownRun }) {
  const resource = useResource<Pool>(runPath(run.id, '/pool'), { run: run.id, everyMs: 5_000 });
  return (
    <Loaded resource={resource} what="the pool">
      {({ pools }) => {
        const lanes = poolLanes(pools, run.rounds_completed);
        return lanes.length === 0 ? (
          <p class="empty">No pool was chosen yet.</p>
        ) : (
          <PoolOverRounds run={run} lanes={lanes} decisions={pools.length} />
        );
      }}
    </Loaded>
  );
}

interface LanesProps {
  readonly run: ShownRun;
  readonly lanes: readonly Lane[];
}

function PoolOverRounds({ run, lanes, decisions }: LanesProps & { readonly decisions: number }) {
  const [which, setWhich] = useQuery('which', 'all');
  const shown = which === 'now' ? lanes.filter(({ isIn }) => isIn) : lanes;
  const about =
    `${pluralText(lanes.length, 'simulator')} in ${pluralText(decisions, 'pool')}. A bar is as long as the rounds that trained on a simulator, ` +
    'and as high as its weight. Choose one to see why it is there.';
  return (
    <Section
      title="Pool over rounds"
      about={about}
      tools={<Choice label="Show" value={which} options={KINDS} onChoose={setWhich} />}
    >
      <Lanes run={run} lanes={shown} />
      <AsTable>
        {() => (
          <Table caption="Simulators of the pool" columns={columnsFor(run)} rows={lanes} rowKey={({ key }) => key} />
        )}
      </AsTable>
    </Section>
  );
}

const KINDS = [
  ['all', 'all that ever were in it'],
  ['now', 'the newest pool'],
] as const;

const BOX = { width: 1000, height: 18 };

/** The lanes are one choice: a single stop of the Tab key, within it the arrow keys move. */
function Lanes({ run, lanes }: LanesProps) {
  const name = useId();
  const [chosenKey, choose] = useQuery('simulator', lanes[0]!.key);
  const chosen = lanes.find(({ key }) => key === chosenKey) ?? lanes[0]!;
  const rounds = Math.max(run.rounds, run.rounds_completed);
  const weightMax = Math.max(...lanes.flatMap(({ stretches }) => stretches.map(({ weight }) => weight)));
  return (
    <div class="pool">
      <fieldset class="lanes">
        <legend class="unseen">Simulator</legend>
        {lanes.map((lane) => (
          <label key={lane.key} class={lane.isIn ? 'lane' : 'lane lane-left'}>
            <input
              type="radio"
              name={name}
              value={lane.key}
              checked={lane.key === chosen.key}
              onChange={() => choose(lane.key, 'replace')}
              aria-label={`${lane.name}, rounds ${staysText(lane)}, weight ${numberText(lane.last.weight)}`}
            />
            <span class="lane-name" title={lane.name}>
              {lane.name}
            </span>
            <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
              <path d={lanePath(lane, { ...BOX, rounds, weightMax })} />
            </svg>
          </label>
        ))}
        <div class="lane lane-axis" aria-hidden="true">
          <span class="lane-ends">
            <span>round 1</span>
            <span>{countText(rounds)}</span>
          </span>
        </div>
      </fieldset>
      <LaneFacts run={run} lane={chosen} />
    </div>
  );
}

/** Everything that is known of the chosen one. */
function LaneFacts({ run, lane }: { readonly run: ShownRun; readonly lane: Lane }) {
  const { first, last, contribution, isIn } = lane;
  return (
    <div class="lane-facts" role="status" aria-live="polite">
      <h3>{lane.name}</h3>
      <dl class="facts">
        <dt>In the pool</dt>
        <dd>
          rounds {staysText(lane)}
          {isIn ? ', still in it' : ''}
        </dd>
        <dt>Weight</dt>
        <dd>
          {numberText(last.weight)}
          {first.weight !== last.weight && `, at first ${numberText(first.weight)}`}
        </dd>
        <dt>Why</dt>
        <dd>{first.reason}</dd>
        <dt>Contribution</dt>
        <dd>{numberText(contribution)}</dd>
        <dt>Made from</dt>
        <dd>
          {first.parents.length === 0 ? 'the spec' : first.parents.join(', ')}
          <FailureOf run={run} failure={first.failure} />
        </dd>
      </dl>
    </div>
  );
}

function FailureOf({ run, failure }: { readonly run: ShownRun; readonly failure: string | null }) {
  if (failure === null) return null;
  return (
    <>
      {' · '}
      <Link to={failureAddress(`${run.id}:${failure}`)}>failure {failure}</Link>
    </>
  );
}

const columnsFor = (run: ShownRun): readonly TableColumn<Lane>[] => [
  { key: 'name', title: 'Simulator', isPinned: true, isRowHeader: true, cell: ({ name }) => name },
  { key: 'rounds', title: 'Rounds', cell: staysText },
  { key: 'weight', title: 'Last weight', isNumber: true, cell: ({ last }) => numberText(last.weight) },
  { key: 'contribution', title: 'Contribution', isNumber: true, cell: ({ contribution }) => numberText(contribution) },
  {
    key: 'from',
    title: 'Made from',
    cell: ({ first }) => (
      <>
        {first.parents.length === 0 ? '–' : first.parents.join(', ')}
        <FailureOf run={run} failure={first.failure} />
      </>
    ),
  },
  { key: 'why', title: 'Why', cell: ({ first }) => <span class="long-text">{first.reason}</span> },
];
