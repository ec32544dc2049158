import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Experiment } from '../../contract/experiments.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource, type Resource } from '../api/use-resource.ts';
import { announce } from '../parts/announce.ts';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Failed, Loaded } from '../parts/loaded.tsx';
import { countText, durationText } from '../parts/number-text.ts';
import { countedStates, isOpen, stateText, type RunState } from '../parts/run-state.ts';
import { StateCounts } from '../parts/state-counts.tsx';
import { go, usePlace } from '../router.ts';

export type ShownExperiment = Decoded<Experiment>;

const TABS = [
  ['', 'Overview'],
  ['/runs', 'Runs'],
  ['/curves', 'Curves'],
  ['/returns', 'Per simulator'],
  ['/comparison', 'Comparison'],
  ['/sensitivity', 'Perturbations'],
  ['/matrices', 'Distances'],
  ['/diagnosis', 'Diagnosis'],
  ['/failures', 'Failures'],
  ['/spec', 'Spec'],
] as const;

interface FrameProps<Shown> {
  /** As the address names it: an id, a prefix of one, or a name. */
  readonly experiment: string;
  /** What of the experiment is shown, for the browser's tab. */
  readonly part: string;
  readonly children: (shown: Shown) => ComponentChildren;
}

/** What stands above every view of an experiment: its name, how far it is, and the way to the other views. */
export function ExperimentFrame({ experiment, part, children }: FrameProps<ShownExperiment>) {
  const resource = useExperiment(experiment);
  return (
    <>
      <Head experiment={experiment} part={part} resource={resource} />
      <Loaded resource={resource} what="the experiment">
        {children}
      </Loaded>
    </>
  );
}

/** The same around what needs no more of the experiment than its name: it is asked for at once and not after the experiment. */
export function NamedFrame({ experiment, part, children }: FrameProps<string>) {
  const resource = useExperiment(experiment);
  const { data, error, reload } = resource;
  return (
    <>
      <Head experiment={experiment} part={part} resource={resource} />
      {error !== null && <Failed error={error} onRetry={reload} />}
      {(error === null || data !== null) && children(data?.id ?? experiment)}
    </>
  );
}

const useExperiment = (experiment: string): Resource<Experiment> =>
  useResource<Experiment>(`/experiments/${encodeURIComponent(experiment)}`, { experiment, everyMs: 2_000 });

interface HeadProps {
  readonly experiment: string;
  readonly part: string;
  readonly resource: Resource<Experiment>;
}

function Head({ experiment, part, resource: { data } }: HeadProps) {
  useRealId(experiment, data?.id ?? null);
  const name = data === null ? experiment : nameOf(data);
  return (
    <>
      <Heading title={name} tabTitle={`${part} · ${name}`} crumbs={[{ text: 'Experiments', to: '/experiments' }]}>
        {data !== null && <Standing experiment={data} />}
      </Heading>
      <Tabs experiment={experiment} />
    </>
  );
}

const nameOf = ({ name, version }: ShownExperiment): string => (version > 1 ? `${name}, version ${version}` : name);

/** Events name experiments by their ids, so the address should too. */
function useRealId(named: string, id: string | null): void {
  useEffect(() => {
    if (id === null || id === named) return;
    const parts = location.pathname.split('/');
    go([...parts.slice(0, 2), encodeURIComponent(id), ...parts.slice(3)].join('/') + location.search, 'replace');
  }, [named, id]);
}

/** Counts of runs; while some are open, how far all of them are. */
function Standing({ experiment }: { readonly experiment: ShownExperiment }) {
  const { runs, progress } = experiment;
  const total = Object.values(runs).reduce((sum, count) => sum + count, 0);
  useFinishedTold(experiment);
  const isGoing = (Object.keys(runs) as RunState[]).some(isOpen);
  return (
    <div class="standing">
      <span>{countText(total)} runs:</span>
      <StateCounts counts={runs} />
      {isGoing && (
        <span class="progress">
          <progress max={1} value={progress.share} aria-label="Share of all env steps" />{' '}
          {Math.floor(100 * progress.share)} %
          {progress.remaining_s !== null && ` · about ${durationText(progress.remaining_s)} left`}
          {progress.steps_per_second > 0 && ` · ${countText(Math.round(progress.steps_per_second))} steps/s`}
        </span>
      )}
    </div>
  );
}

/** Says how runs ended as they end, in one sentence for all that ended at once. */
function useFinishedTold({ name, runs }: ShownExperiment): void {
  const ended = countedStates(runs).filter(([state]) => !isOpen(state));
  const text = ended.map(([state, count]) => `${count} ${stateText(state)}`).join(', ');
  const told = useRef(text);
  useEffect(() => {
    if (told.current === text) return;
    told.current = text;
    announce(`Runs of ${name}: ${text}.`);
  }, [name, text]);
}

function Tabs({ experiment }: { readonly experiment: string }) {
  const { path } = usePlace();
  const base = `/experiments/${encodeURIComponent(experiment)}`;
  return (
    <nav class="tabs" aria-label="Views of the experiment">
      {TABS.map(([tail, text]) => (
        <Link key={tail} to={`${base}${tail}`} isCurrent={path === `${base}${tail}`}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
