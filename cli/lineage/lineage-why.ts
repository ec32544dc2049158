import type { RunLineage } from '../../infra/postgres/lineage-rows.ts';
import { shortHash } from './lineage-columns.ts';
import { forestOf, parentFinder } from './lineage-forest.ts';
import { exitText, judgedText, linesText, type NearestTests, staysText, taughtText } from './lineage-text.ts';
import { treeLines } from './lineage-tree.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { simulatorLives, type SimulatorLife } from '../../web/documents/simulator-lives.ts';

/**
 * A simulator of a run after all that it was made of, the first of them first; empty when nothing has that name. Of
 * several with one name it is the newest that entered the pool.
 */
export function ancestryOf(lineage: RunLineage, name: string): SimulatorLife[] {
  const lives = simulatorLives(lineage);
  const named = lives.filter((life) => life.name === name);
  const life = named.findLast(({ stays }) => stays.length > 0) ?? named.at(-1);
  if (life === undefined) return [];
  const parentOf = parentFinder(lineage, lives);
  const line = [life];
  for (let parent = parentOf(life); parent !== null; parent = parentOf(parent)) line.unshift(parent);
  return line;
}

/**
 * Why a simulator is in the pool of a run, or is not: what it goes back to, and what came of it.
 * @param ancestry as `ancestryOf` gives it, not empty
 */
export function whyText(lineage: RunLineage, ancestry: readonly SimulatorLife[], nearest: NearestTests): string {
  const life = ancestry.at(-1)!;
  const failure = ancestry.findLast((each) => each.failure !== null)?.failure ?? null;
  const width = Math.max(...factsOf(life, nearest).map(([what]) => what.length));
  return [
    `${life.name}  ${shortHash(life.hash)}  ${lineage.runId}`,
    ...factsOf(life, nearest).map(([what, text]) => `  ${what.padEnd(width)}  ${text}`),
    '',
    'Where it comes from:',
    linesText(
      treeLines(forestOf(lineage, ancestry), ({ children }) => children),
      nearest,
    ),
    ...(failure === null ? [] : ['', ...failureLines(lineage, failure)]),
  ].join('\n');
}

/** How to see the failure: it is stored with the run that was played, not with one that was skipped for it. */
function failureLines({ sourceId }: RunLineage, failure: string): string[] {
  const id = `${sourceId}:${failure}`;
  return [
    'The failure it goes back to:',
    `  in words     thaw failures ${id}`,
    `  to watch it  thaw rollout --failure ${id} --render failure.svg`,
  ];
}

function factsOf(life: SimulatorLife, nearest: NearestTests): (readonly [what: string, text: string])[] {
  const { stays, reason, weight, taught, contribution, judged, hash } = life;
  const distance = nearest?.get(hash);
  return [
    ['why', reason],
    ...(judged === null || isToldBy(reason, judged.origin) ? [] : [['how made', judged.origin] as const]),
    stays.length === 0
      ? ['in the pool', `never: ${judged?.refusal ?? 'it was not chosen'}`]
      : ['in the pool', `rounds ${staysText(life)}, weight ${measureText(weight)}${exitText(life)}`],
    ...(judged === null ? [] : [['judged', `in round ${judged.round}: ${judgedText(judged)}`] as const]),
    ...(taught === null ? [] : [['taught', lessonText(taught)] as const]),
    ...(contribution === null ? [] : [['contribution', measureText(contribution)] as const]),
    ...(distance === undefined
      ? []
      : [['nearest test', `${distance.test}, ${measureText(distance.distance)} by ${distance.metric}`] as const]),
  ];
}

/** Whether the reason is how it was made, with or without the round in which it entered. */
function isToldBy(reason: string, origin: string): boolean {
  return reason === origin || (reason.startsWith(origin) && /^ in round \d+$/.test(reason.slice(origin.length)));
}

function lessonText(taught: NonNullable<SimulatorLife['taught']>): string {
  const { episodes, firstRound, lastRound, firstShortfall, lastShortfall } = taught;
  const scored =
    firstShortfall === null
      ? ''
      : `; shortfall ${measureText(firstShortfall)} → ${measureText(lastShortfall)}, how much worse than the critic expected`;
  const rounds = `in rounds ${firstRound}–${lastRound}`;
  return `return ${taughtText(taught)} over ${pluralText(episodes, 'episode')} ${rounds}${scored}`;
}
