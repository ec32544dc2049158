import { useState } from 'preact/hooks';
import type { Lineage } from '../../contract/simulators.ts';
import { useResource } from '../api/use-resource.ts';
import { AsTable } from '../parts/as-table.tsx';
import { Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, numberText, pluralText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { isRefused, lifeText, lineageTree, type LineageNode, type ShownSimulator } from './lineage-tree.ts';
import { failureAddress, runPath, type ShownRun } from './run-resource.ts';

/** Where the simulators of a run came from, what each taught, and what was refused. */
export function LineagePart({ run }: { readonly run: ShownRun }) {
  const resource = useResource<Lineage>(runPath(run.id, '/lineage'), { run: run.id, everyMs: 5_000 });
  return (
    <Loaded resource={resource} what="the lineage">
      {({ simulators }) =>
        simulators.length === 0 ? (
          <p class="empty">No pool was chosen yet.</p>
        ) : (
          <>
            <Section
              title="Lineage"
              about="A simulator stands under the one that it was made from. Returns are means of its training episodes, in the first round with any and in the last."
            >
              <Tree run={run} nodes={lineageTree(simulators)} />
              <AsTable>
                {() => (
                  <Table
                    caption="Simulators that entered the pool"
                    columns={enteredColumns(run)}
                    rows={simulators.filter((each) => !isRefused(each))}
                    rowKey={keyOf}
                  />
                )}
              </AsTable>
            </Section>
            <Refused run={run} simulators={simulators.filter(isRefused)} />
          </>
        )
      }
    </Loaded>
  );
}

const keyOf = ({ name, hash }: ShownSimulator): string => `${name}\n${hash}`;

function Tree({ run, nodes }: { readonly run: ShownRun; readonly nodes: readonly LineageNode[] }) {
  return (
    <ul class="lineage">
      {nodes.map((node) => (
        <li key={node.key}>
          {node.children.length === 0 ? (
            <div class="lineage-leaf">
              <NodeText node={node} />
              <Origin run={run} simulator={node.simulator} />
            </div>
          ) : (
            <details open>
              <summary>
                <NodeText node={node} />
              </summary>
              <Origin run={run} simulator={node.simulator} />
              <Tree run={run} nodes={node.children} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What is told of one. */
function NodeText({ node: { name, simulator } }: { readonly node: LineageNode }) {
  if (simulator === null) return <span class="lineage-outsider">{name}, which was never in the pool itself</span>;
  const { first_return: first, last_return: last, episodes, contribution, exit_reason: exit } = simulator;
  return (
    <span>
      <strong>{name}</strong> <span class="n">rounds {lifeText(simulator)}</span>
      {' · '}return {numberText(first)} → {numberText(last)} <span class="n">n = {countText(episodes)} episodes</span>
      {contribution !== null && ` · contribution ${numberText(contribution)}`}
      {exit !== null && <span class="n"> · left: {exit}</span>}
    </span>
  );
}

/** Where it comes from, with the failure that it goes back to. What the spec names needs no words. */
function Origin({ run, simulator }: { readonly run: ShownRun; readonly simulator: ShownSimulator | null }) {
  if (simulator === null || (simulator.parents.length === 0 && simulator.failure === null)) return null;
  const { reason, failure } = simulator;
  return (
    <div class="lineage-origin">
      {reason}
      {failure !== null && ' · '}
      {failure !== null && <Link to={failureAddress(`${run.id}:${failure}`)}>failure {failure}</Link>}
    </div>
  );
}

const SHOWN_AT_FIRST = 100;

/** Candidates that never entered, folded away: there may be thousands. */
function Refused({ run, simulators }: { readonly run: ShownRun; readonly simulators: readonly ShownSimulator[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const [count, setCount] = useState(SHOWN_AT_FIRST);
  if (simulators.length === 0) return null;
  return (
    <details class="as-table" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{pluralText(simulators.length, 'refused candidate')}</summary>
      {isOpen && (
        <>
          <Table
            caption="Refused candidates"
            columns={refusedColumns(run)}
            rows={simulators.slice(0, count)}
            rowKey={keyOf}
          />
          {count < simulators.length && (
            <button type="button" onClick={() => setCount(count + SHOWN_AT_FIRST)}>
              Show {countText(Math.min(SHOWN_AT_FIRST, simulators.length - count))} more
            </button>
          )}
        </>
      )}
    </details>
  );
}

const nameColumn: TableColumn<ShownSimulator> = {
  key: 'name',
  title: 'Simulator',
  isPinned: true,
  isRowHeader: true,
  cell: ({ name }) => name,
};

const originColumns = (run: ShownRun): readonly TableColumn<ShownSimulator>[] => [
  {
    key: 'parents',
    title: 'Made from',
    cell: ({ parents, failure }) => (
      <>
        {parents.length === 0 ? '–' : parents.join(', ')}
        {failure !== null && ' · '}
        {failure !== null && <Link to={failureAddress(`${run.id}:${failure}`)}>failure {failure}</Link>}
      </>
    ),
  },
  { key: 'reason', title: 'How', cell: ({ reason }) => <span class="long-text">{reason}</span> },
];

const enteredColumns = (run: ShownRun): readonly TableColumn<ShownSimulator>[] => [
  nameColumn,
  { key: 'rounds', title: 'Rounds', cell: lifeText },
  { key: 'episodes', title: 'Episodes', isNumber: true, cell: ({ episodes }) => countText(episodes) },
  { key: 'first', title: 'First return', isNumber: true, cell: (each) => numberText(each.first_return) },
  { key: 'last', title: 'Last return', isNumber: true, cell: (each) => numberText(each.last_return) },
  { key: 'contribution', title: 'Contribution', isNumber: true, cell: (each) => numberText(each.contribution) },
  { key: 'exit', title: 'Why it left', cell: (each) => each.exit_reason ?? '–' },
  ...originColumns(run),
];

const refusedColumns = (run: ShownRun): readonly TableColumn<ShownSimulator>[] => [
  nameColumn,
  {
    key: 'why',
    title: 'Why not',
    cell: ({ refusal }) => <span class="long-text">{refusal ?? 'it was not chosen'}</span>,
  },
  { key: 'score', title: 'Score', isNumber: true, cell: ({ score }) => numberText(score) },
  ...originColumns(run),
];
