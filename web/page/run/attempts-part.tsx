import { useState } from 'preact/hooks';
import type { Attempts } from '../../contract/runs.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, durationText, pluralText, timeText } from '../parts/number-text.ts';
import { useQuery } from '../router.ts';
import { MemoryBar } from './memory-bar.tsx';
import { runPath, type ShownRun } from './run-resource.ts';

type Attempt = Decoded<Attempts>['attempts'][number];

const SHOWN_AT_FIRST = 50;

const KINDS = [
  ['all', 'all'],
  ['open', 'failed or at work'],
] as const;

/** Every try at a round: how it ended, what it used, and what was changed for the next. */
export function AttemptsPart({ run }: { readonly run: ShownRun }) {
  const resource = useResource<Attempts>(runPath(run.id, '/attempts'), { run: run.id, everyMs: 3_000 });
  const [which, setWhich] = useQuery('which', 'all');
  return (
    <Loaded resource={resource} what="the attempts">
      {({ attempts }) => {
        const wanted = which === 'all' ? attempts : attempts.filter(({ outcome }) => outcome !== 'done');
        return (
          <Section
            title="Attempts"
            about={`${pluralText(attempts.length, 'attempt')}, the newest first. ${failedText(attempts)}`}
            tools={<Choice label="Show" value={which} options={KINDS} onChoose={setWhich} />}
          >
            <AttemptList attempts={wanted.toReversed()} />
          </Section>
        );
      }}
    </Loaded>
  );
}

function failedText(attempts: readonly Attempt[]): string {
  const failed = attempts.filter(({ outcome }) => outcome !== null && outcome !== 'done' && outcome !== 'cancelled');
  return failed.length === 0 ? 'None of them failed.' : `${countText(failed.length)} of them failed.`;
}

function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [count, setCount] = useState(SHOWN_AT_FIRST);
  if (attempts.length === 0) return <p class="empty">There is none of these.</p>;
  return (
    <>
      <ol class="attempts">
        {attempts.slice(0, count).map((attempt) => (
          <AttemptItem key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      {count < attempts.length && (
        <button type="button" onClick={() => setCount(count + SHOWN_AT_FIRST)}>
          Show {countText(Math.min(SHOWN_AT_FIRST, attempts.length - count))} more
        </button>
      )}
    </>
  );
}

const OUTCOME_MARKS: Readonly<Record<string, string>> = { done: '✓', cancelled: '⊘', running: '▶' };

function AttemptItem({ attempt }: { readonly attempt: Attempt }) {
  const { number, kind, round, outcome, exit, message, next_change: change } = attempt;
  const told = outcome ?? 'running';
  const isBad = OUTCOME_MARKS[told] === undefined;
  return (
    <li class={isBad ? 'attempt attempt-failed' : 'attempt'}>
      <div class="attempt-head">
        <strong>#{number}</strong>
        <span>
          {kind.replaceAll('_', ' ')}, round {round}
        </span>
        <span class={isBad ? 'attempt-outcome' : undefined}>
          <span aria-hidden="true">{OUTCOME_MARKS[told] ?? '✕'}</span> {told.replaceAll('_', ' ')}
          {exit !== '' && `, ${exit}`}
        </span>
        <MemoryBar peakMib={attempt.peak_rss_mib} limitMib={attempt.memory_limit_mib} />
        <span class="n">{whenText(attempt)}</span>
      </div>
      {message !== null && <p class="attempt-message">{message}</p>}
      {change !== null && (
        <p>
          <strong>Changed for the next:</strong> {change}
        </p>
      )}
      <LogTail attempt={attempt} />
    </li>
  );
}

function whenText({ started_at: started, ended_at: ended, worker, process_id: process }: Attempt): string {
  const took = ended === null ? '' : `, took ${durationText((Date.parse(ended) - Date.parse(started)) / 1000)}`;
  return `${timeText(started)}${took} · worker ${worker}${process === null ? '' : `, process ${process}`}`;
}

/** What its process wrote last; built only when it is asked for, since it may be long. */
function LogTail({ attempt: { number, log_tail: tail } }: { readonly attempt: Attempt }) {
  const [isOpen, setIsOpen] = useState(false);
  if (tail === null || tail === '') return null;
  return (
    <details class="as-table" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What it wrote last</summary>
      {isOpen && (
        <pre class="log-tail" tabIndex={0} role="region" aria-label={`What attempt ${number} wrote last`} ref={showEnd}>
          {tail}
        </pre>
      )}
    </details>
  );
}

/** The end of a log tells most. */
function showEnd(element: HTMLPreElement | null): void {
  if (element !== null) element.scrollTop = element.scrollHeight;
}
