import { beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../simulators/registry.ts';
import { linesFrom, recordedSteps } from '../../test/support/recorded-lines.ts';
import type { RecordedStep } from './recorded-step.ts';
import { PROBLEMS_MAX, RecordingReader } from './recording-reader.ts';
import { recordingText } from './recording-text.ts';

const world = FAMILIES['foraging']!.open(FAMILIES['foraging']!.optionsSchema.parse({}));
const EPISODES = 3;
let steps: RecordedStep[];
beforeAll(async () => void (steps = await recordedSteps(world, EPISODES)));

function read(lines: readonly string[], dropped: readonly string[] = []): RecordingReader {
  const reader = new RecordingReader(world, dropped);
  lines.forEach((line, index) => reader.add(line, index + 1));
  return reader;
}

describe('a recording', () => {
  it.each(['simple_spread', 'simple_tag', 'foraging'])('of %s is read as it was played', async (name) => {
    const family = FAMILIES[name]!;
    const played = family.open(family.optionsSchema.parse({}));
    const lines = await recordedSteps(played, 2);
    const reader = new RecordingReader(played, []);
    linesFrom(lines).forEach((line, index) => reader.add(line, index + 1));
    expect(reader.problems).toEqual([]);
    expect(reader.episodes.map((episode) => episode.name)).toEqual(['e0', 'e1']);
    const read = reader.episodes.flatMap((episode) => episode.steps);
    expect(read.map(({ observations, actions, rewards }) => ({ observations, actions, rewards }))).toEqual(
      lines.map(({ observations, actions, rewards }) => ({ observations, actions, rewards })),
    );
  });

  it('without names and actions, as a plain rollout prints it, has an episode from each start', () => {
    const plain = steps.map(({ episode: _episode, actions: _actions, ...step }) => step);
    const { episodes, problems } = read(linesFrom(plain));
    expect(problems).toEqual([]);
    expect(episodes.map(({ name }) => name)).toEqual(['0', '1', '2']);
  });

  it('is stored in one form: what was read from that is the same again', () => {
    const shuffled = steps.map((step) => Object.fromEntries(Object.entries(step).reverse()));
    const text = recordingText(read(linesFrom(shuffled)).episodes);
    const again = read(text.trimEnd().split('\n'));
    expect(again.problems).toEqual([]);
    expect(recordingText(again.episodes)).toBe(text);
    expect(text).toBe(recordingText(read(linesFrom(steps)).episodes));
  });

  it('keeps masks where actions can be illegal, and refuses those of another size and those that allow nothing', async () => {
    const family = FAMILIES['foraging']!;
    const forest = family.open(family.optionsSchema.parse({}));
    const [start] = await recordedSteps(forest, 1);
    const { count } = forest.groups[0]!.actions as { count: number };
    const problemsWith = (mask: readonly number[]) => {
      const reader = new RecordingReader(forest, []);
      reader.add(JSON.stringify({ ...start, masks: [mask, null] }), 1);
      return { problems: reader.problems, text: recordingText(reader.episodes) };
    };
    const legal = Array.from({ length: count }, (_, action) => action % 2);
    const kept = problemsWith(legal);
    expect(kept.problems).toEqual([]);
    expect(JSON.parse(kept.text)).toMatchObject({ masks: [legal, null] });
    for (const wrong of [[1], legal.map(() => 0), legal.map(() => 2)]) {
      expect(problemsWith(wrong).problems[0]).toMatchObject({ path: expect.stringMatching(/^line 1: masks\[0\]/) });
    }
  });

  it('has no masks where no action is ever illegal', async () => {
    const family = FAMILIES['simple_spread']!;
    const open = family.open(family.optionsSchema.parse({}));
    const [start] = await recordedSteps(open, 1);
    const reader = new RecordingReader(open, []);
    reader.add(JSON.stringify({ ...start, masks: Array.from({ length: open.seatCount }, () => [1, 1, 1, 1, 1]) }), 1);
    expect(reader.problems[0]).toMatchObject({ expected: expect.stringContaining('no action of this seat is ever') });
  });

  it('keeps no key that is not listed, and leaves out what is', () => {
    const talkative = steps.map((step) => ({ ...step, player: 'Somebody' }));
    const [problem] = read(linesFrom(talkative)).problems;
    expect(problem).toMatchObject({
      path: 'line 1',
      found: 'the key player',
      remedy: expect.stringContaining('--drop-keys'),
    });
    const { episodes, problems } = read(linesFrom(talkative), ['player']);
    expect(problems).toEqual([]);
    expect(recordingText(episodes)).not.toContain('Somebody');
  });
});

/** What is done to the line at an index, and what must be said of it. */
const MISTAKES: readonly (readonly [
  what: string,
  at: number,
  change: (step: RecordedStep) => object | string,
  path: RegExp,
  found: RegExp,
  expected: RegExp,
])[] = [
  ['no JSON', 2, () => '{"episode"', /^line 3$/, /JSON/, /one JSON object/],
  ['no object', 2, () => '[1]', /^line 3$/, /list/, /object/],
  ['another action than there is', 1, (s) => ({ ...s, actions: [0, 6] }), /line 2: actions\[1\]/, /^6$/, /<=5/],
  ['a part of an action', 1, (s) => ({ ...s, actions: [0.5, 0] }), /line 2: actions\[0\]/, /^0.5$/, /int/],
  [
    'an action too few',
    1,
    (s) => ({ ...s, actions: [0] }),
    /line 2: actions/,
    /list of 1/,
    /expected array to have >?=?2|>=2/,
  ],
  [
    'too short an observation',
    1,
    (s) => ({ ...s, observations: [[1], [1]] }),
    /line 2: observations\[0\]/,
    /list of 1/,
    /12/,
  ],
  [
    'a mask of another size',
    1,
    (s) => ({ ...s, masks: [[1, 1], null] }),
    /line 2: masks\[0\]/,
    /list of 2/,
    /exactly 6/,
  ],
  ['a reward in words', 1, (s) => ({ ...s, rewards: ['much', 0] }), /line 2: rewards\[0\]/, /"much"/, /number/],
  ['a state of another world', 1, (s) => ({ ...s, state: { agents: [] } }), /line 2: state/, /./, /./],
  ['an episode in free text', 0, (s) => ({ ...s, episode: 'by Anna, a.m.' }), /line 1: episode/, /Anna/, /letters/],
  ['a step left out', 1, (s) => ({ ...s, step: 2 }), /line 2: step/, /^2$/, /^1, the next/],
  ['actions at the start', 0, (s) => ({ ...s, actions: [0, 0] }), /line 1: actions/, /at the start/, /null/],
  ['rewards at the start', 0, (s) => ({ ...s, rewards: [0, 0] }), /line 1: rewards/, /at the start/, /null/],
  ['a step after the end', 1, (s) => ({ ...s, ended: true }), /line 3: step/, /^2$/, /was over/],
  [
    'a line of another episode between',
    1,
    (s) => ({ ...s, episode: 'e2' }),
    /line 2: step/,
    /of episode e2/,
    /together/,
  ],
];

describe('a line with', () => {
  it.each(MISTAKES)(
    '%s is told once, with place, value, what was expected, and a remedy',
    (_what, at, change, path, found, expected) => {
      const lines = steps.map((step, index) => {
        const changed = index === at ? change(step) : step;
        return typeof changed === 'string' ? changed : JSON.stringify(changed);
      });
      const { problems } = read(lines);
      expect(problems[0]!.path).toMatch(path);
      expect(problems[0]!.found).toMatch(found);
      expect(problems[0]!.expected).toMatch(expected);
      expect(problems[0]!.remedy).toMatch(/^[A-Z].*\.$/);
      expect(new Set(problems.map((problem) => problem.path.split(':')[0])).size).toBe(1);
    },
  );

  it('the name of an episode that was before is refused', () => {
    const again = [...steps, ...steps];
    expect(read(linesFrom(again)).problems[0]).toMatchObject({ path: `line ${steps.length + 1}: episode` });
  });

  it('mistakes without end are told up to a limit', () => {
    const reader = read(Array.from({ length: 10 * PROBLEMS_MAX }, () => 'nonsense'));
    expect(reader.problems).toHaveLength(PROBLEMS_MAX);
    expect(reader.isHopeless).toBe(true);
  });
});
