import type { ComponentChildren } from 'preact';
import type { Run } from '../../contract/runs.ts';
import { useResource } from '../api/use-resource.ts';
import { ordersFor } from '../experiment/orders-for.ts';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText } from '../parts/number-text.ts';
import { Orders } from '../parts/orders.tsx';
import { isOpen } from '../parts/run-state.ts';
import { StateMark, Verdict } from '../parts/state-mark.tsx';
import { usePlace } from '../router.ts';
import { runPath, type ShownRun } from './run-resource.ts';

interface FrameProps {
  readonly id: string;
  /** What of the run is shown, for the browser's tab. */
  readonly part: string;
  readonly tabs: readonly (readonly [name: string, title: string])[];
  readonly children: (run: ShownRun) => ComponentChildren;
}

/** What stands above every part of a run: which cell it is, how it stands, and the way to the other parts. */
export function RunFrame({ id, part, tabs, children }: FrameProps) {
  const resource = useResource<Run>(runPath(id), { run: id });
  const { data: run, reload } = resource;
  const title = run === null ? id : `${run.variant}, seed ${run.seed}`;
  return (
    <>
      <Heading title={title} tabTitle={`${part} · ${title}`} crumbs={crumbsOf(run)}>
        {run !== null && <Standing run={run} />}
      </Heading>
      {run !== null && <Reason run={run} />}
      {run !== null && (
        <Orders
          path={runPath(run.id)}
          what={`run ${run.variant} seed ${run.seed}`}
          orders={ordersFor({ [run.state]: 1 })}
          onDone={reload}
        />
      )}
      <Tabs id={id} tabs={tabs} />
      <Loaded resource={resource} what="the run">
        {children}
      </Loaded>
    </>
  );
}

function crumbsOf(run: ShownRun | null) {
  const experiments = { text: 'Experiments', to: '/experiments' };
  if (run === null) return [experiments];
  const to = `/experiments/${encodeURIComponent(run.experiment_id)}`;
  return [experiments, { text: run.experiment_name, to }, { text: 'Runs', to: `${to}/runs` }];
}

/** Its state, how far it is, and what the numbers say about collapse. */
function Standing({ run }: { readonly run: ShownRun }) {
  const { state, rounds, rounds_completed: completed, env_steps, verdict } = run;
  return (
    <div class="standing">
      <StateMark state={state} />
      <span class="progress">
        {isOpen(state) && <progress max={Math.max(1, rounds)} value={completed} aria-label="Share of its rounds" />}{' '}
        round {countText(completed)} of {countText(rounds)} · {countText(env_steps)} env steps
      </span>
      <span>
        verdict: <Verdict verdict={verdict} />
      </span>
    </div>
  );
}

/** Why the run is in its state, and where the numbers of a skipped one come from. */
function Reason({ run: { reason, same_as: source } }: { readonly run: ShownRun }) {
  if (reason === null && source === null) return null;
  return (
    <p class="run-reason">
      {reason}
      {source !== null && (
        <>
          {' '}
          An equal run was finished before: what is shown is of{' '}
          <Link to={`/runs/${encodeURIComponent(source)}`}>{source}</Link>.
        </>
      )}
    </p>
  );
}

function Tabs({ id, tabs }: Pick<FrameProps, 'id' | 'tabs'>) {
  const { path } = usePlace();
  const base = runPath(id);
  const addressOf = (name: string) => (name === '' ? base : `${base}/${name}`);
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {tabs.map(([name, title]) => (
        <Link key={name} to={addressOf(name)} isCurrent={path === addressOf(name)}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
