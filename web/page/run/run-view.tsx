import { Link } from '../parts/link.tsx';
import type { ViewProps } from '../view.ts';
import { AttemptsPart } from './attempts-part.tsx';
import { CurvesPart } from './curves-part.tsx';
import { LineagePart } from './lineage-part.tsx';
import { LogPart } from './log-part.tsx';
import { OverviewPart } from './overview-part.tsx';
import { PoolPart } from './pool-part.tsx';
import { RunFrame } from './run-frame.tsx';
import { runPath, type ShownRun } from './run-resource.ts';

/** The parts of a run's page by the last word of their address. */
const PARTS = [
  ['', 'Results', OverviewPart],
  ['curves', 'Curves', CurvesPart],
  ['pool', 'Pool', PoolPart],
  ['lineage', 'Lineage', LineagePart],
  ['attempts', 'Attempts', AttemptsPart],
  ['log', 'Log', LogPart],
] as const;

const TABS = PARTS.map(([name, title]) => [name, title] as const);

export function RunView({ params }: ViewProps) {
  const id = params['run']!;
  const name = params['part'] ?? '';
  const known = PARTS.find(([each]) => each === name);
  return (
    <RunFrame id={id} part={known?.[1] ?? 'No such part'} tabs={TABS}>
      {(run) => (known === undefined ? <NoSuchPart run={run} /> : <RunPart run={run} Part={known[2]} />)}
    </RunFrame>
  );
}

function RunPart({ run, Part }: { readonly run: ShownRun; readonly Part: (typeof PARTS)[number][2] }) {
  return <Part run={run} />;
}

function NoSuchPart({ run }: { readonly run: ShownRun }) {
  return (
    <p class="empty">
      A run has no such part. <Link to={runPath(run.id)}>Its results</Link> are a good place to start from.
    </p>
  );
}
