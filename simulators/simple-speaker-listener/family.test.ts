import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, World } from '../contract.ts';
import { keyFrom } from '../random.ts';
import { CODE_BOOKS } from './code-books.ts';
import type { TalkStart } from './conversation.ts';
import { simpleSpeakerListener } from './family.ts';
import { SCRIPTED_POLICIES } from './parameters.ts';

type Pair = [number, number];
type Data = Readonly<Record<string, unknown>>;

function open(options: Data = {}): World {
  return simpleSpeakerListener.open(simpleSpeakerListener.optionsSchema.parse(options));
}

function begin(world: World, simulator: unknown, seed = 1): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

const world = open();
const GOALS = [0, 1, 2];
const told = (batch: Batch) => batch.state(0) as unknown as TalkStart;
const scripted = (name: string, numbers: Data = {}) => ({ kind: 'scripted', name, ...numbers });
const distance = ([ax, ay]: Pair, [bx, by]: Pair) => Math.hypot(ax - bx, ay - by);
const say = (batch: Batch, word: number, move = 0) => void batch.step(Int32Array.of(word, move));
const oneHot = (symbol: number, size = 1) => GOALS.map((each) => (each === symbol ? size : 0));

function observed(batch: Batch, group: number): number[] {
  const out = new Float64Array(world.groups[group]!.observationSize);
  batch.observe(group, out);
  return [...out];
}

/** Whether a share of n trials fits a probability, within four standard errors. */
function expectShare(count: number, trials: number, probability: number): void {
  const error = Math.sqrt((probability * (1 - probability)) / trials);
  expect(Math.abs(count / trials - probability)).toBeLessThanOrEqual(4 * error);
}

describe('the world', () => {
  it('has a speaker of 3 words who sees 3 numbers, and a listener of 5 moves who sees 11', () => {
    const roles = world.groups.map(({ role, seats, observationSize, actions }) => [
      role,
      seats,
      observationSize,
      actions,
    ]);
    expect(roles).toEqual([
      ['speaker', [0], 3, { kind: 'discrete', count: 3 }],
      ['listener', [1], 11, { kind: 'discrete', count: 5 }],
    ]);
    expect(world.cooperative).toBe(true);
  });

  it('refuses boxes by name and says why', () => {
    const { error } = simpleSpeakerListener.optionsSchema.safeParse({ continuous_actions: true });
    expect(error!.issues[0]).toMatchObject({
      path: ['continuous_actions'],
      message: expect.stringMatching(/^false: .* 3 numbers .* 5, .* one size$/),
      params: { remedy: expect.stringContaining('Leave it out') },
    });
  });

  it('refuses a word that there is not, and a move that there is not, by seat', () => {
    expect(() => say(begin(world, {}), 3)).toThrow(
      '3 is no action of seat 0 of simple_speaker_listener; they are 0 … 2',
    );
    expect(() => say(begin(world, {}), 0, 5)).toThrow(
      '5 is no action of seat 1 of simple_speaker_listener; they are 0 … 4',
    );
    const { agents, landmarks } = told(begin(world, {}));
    const start = { agents, landmarks, pending_actions: [[3, 0]] };
    expect(world.startSchema.safeParse(start).error!.issues[0]!.path).toEqual(['pending_actions', 0, 0]);
  });

  it('lets the speaker stand still whatever is said or done', () => {
    const start = { agents: [[0.5, 0.5], [0.5, 0.5]], velocities: [[3, 3], [1, 0]], landmarks: [[0, 0], [1, 1], [-1, 0]] }; // prettier-ignore
    const batch = begin(world, { scenarios: { start, velocity_half_width: 1 } });
    for (const word of [0, 1, 2, 1]) say(batch, word, 2);
    expect(told(batch).agents[0]).toEqual([0.5, 0.5]);
    expect(told(batch).velocities[0]).toEqual([0, 0]);
    expect(distance(told(batch).agents[1]!, [0.5, 0.5])).toBeGreaterThan(0.2);
  });
});

describe('the goal', () => {
  const drawn = (scenarios: Data, trials: number) => {
    const counts = [0, 0, 0];
    for (let seed = 0; seed < trials; seed += 1) counts[told(begin(world, { scenarios }, seed)).goal!]! += 1;
    return counts;
  };

  it.each([[[1, 1, 1]], [[1, 0.5, 0.5]], [[0, 0.2, 0.6]], [[0, 0, 1]]])('is drawn in proportion to %j', (weights) => {
    const sum = weights.reduce((total, each) => total + each, 0);
    drawn({ goal_weights: weights }, 600).forEach((count, goal) => expectShare(count, 600, weights[goal]! / sum));
  });

  it('is that of the start, and drawn where a start leaves it out', () => {
    const { agents, landmarks } = told(begin(world, {}));
    for (const goal of GOALS) {
      expect(drawn({ start: { agents, landmarks, goal } }, 20)[goal]).toBe(20);
      const batch = begin(world, {});
      batch.place(0, world.startSchema.parse({ agents, landmarks, goal }));
      expect(told(batch).goal).toBe(goal);
      expect(observed(batch, 0)).toEqual(GOALS.map((each) => (each === goal ? 0.65 : 0.15)));
    }
    expect(Math.min(...drawn({ start: { agents, landmarks } }, 60))).toBeGreaterThan(5);
    const batch = begin(world, {}, 9);
    const { goal } = told(batch);
    batch.place(0, world.startSchema.parse({ agents, landmarks }));
    expect(told(batch).goal).toBe(goal);
  });

  it('cannot be drawn where no landmark has a weight', () => {
    const { error } = world.simulatorSchema.safeParse({ scenarios: { goal_weights: [0, 0, 0] } });
    expect(error!.issues[0]).toMatchObject({
      path: ['scenarios', 'goal_weights'],
      message: expect.stringMatching(/^at least one weight/),
    });
  });
});

describe('the channel', () => {
  it('carries a word to the next step, where the listener hears it as a one-hot, and to nobody else', () => {
    const batch = begin(world, {});
    expect(observed(batch, 1).slice(8)).toEqual([0, 0, 0]);
    const colour = observed(batch, 0);
    for (const word of [2, 0, 1, 1]) {
      say(batch, word);
      expect(observed(batch, 1).slice(8)).toEqual(oneHot(word));
      expect(told(batch).heard).toEqual(oneHot(word));
      expect(observed(batch, 0)).toEqual(colour);
    }
  });

  it('exchanges symbols as the permutation says, turns them as it drifts, and is as loud as it is', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(25), fc.constantFrom(0.5, 1, 3), (permutation, drift, loudness) => {
        const perturbations = { channel_permutation: permutation, channel_drift: drift };
        const batch = begin(world, { rules: { loudness }, perturbations });
        for (let step = 0; step < world.episodeStepsMax; step += 1) {
          const word = (step * 2) % 3;
          say(batch, word);
          const turned = drift === 0 ? word : (word + Math.floor(step / drift)) % 3;
          expect(told(batch).heard).toEqual(oneHot(CODE_BOOKS[permutation]![turned]!, loudness));
        }
      }),
      { numRuns: 60 },
    );
  });

  /** What is heard of so many words 1, as often as it is heard. */
  function heardOfOnes(perturbations: Data, episodes = 60): readonly (readonly number[])[] {
    return Array.from({ length: episodes }, (_, seed) => {
      const batch = begin(world, { perturbations }, seed);
      return Array.from({ length: world.episodeStepsMax }, () => {
        say(batch, 1);
        return told(batch).heard;
      });
    }).flat();
  }

  it('loses words, and takes them for each of the two others, as often as it says', () => {
    for (const [error, loss] of [
      [0.3, 0],
      [0, 0.4],
      [0.6, 0.2],
      [1, 0],
    ] as const) {
      // prettier-ignore
      const heard = heardOfOnes({ channel_error: error, channel_loss: loss });
      const shares = [0, 1, 2].map((symbol) => heard.filter((numbers) => numbers[symbol] === 1).length);
      const expected = [error / 2, 1 - error, error / 2].map((share) => share * (1 - loss));
      shares.forEach((count, symbol) => expectShare(count, heard.length, expected[symbol]!));
      expectShare(heard.filter((numbers) => numbers.every((each) => each === 0)).length, heard.length, loss);
    }
  });

  it('adds normal noise to each number, whatever else is lost', () => {
    for (const [loss, mean] of [
      [0, 1],
      [1, 0],
    ] as const) {
      // prettier-ignore
      const heard = heardOfOnes({ channel_noise: 0.4, channel_loss: loss });
      [0, mean, 0].forEach((expected, symbol) => {
        const numbers = heard.map((each) => each[symbol]! - expected);
        const average = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
        const spread = Math.sqrt(numbers.reduce((sum, each) => sum + each ** 2, 0) / numbers.length);
        expect(Math.abs(average)).toBeLessThan((4 * 0.4) / Math.sqrt(numbers.length));
        expect(Math.abs(spread / 0.4 - 1)).toBeLessThan(0.1);
      });
    }
  });

  it('carries what took effect: a word that is held back is heard as late, and 0 until then', () => {
    const batch = begin(world, { perturbations: { action_delay: 3 } });
    const words = Array.from({ length: world.episodeStepsMax }, (_, step) => 1 + (step % 2));
    words.forEach((word, step) => {
      say(batch, word);
      expect(told(batch).heard).toEqual(oneHot(words[step - 3] ?? 0));
    });
  });

  it('has no say in what is seen: noise on observations leaves what is heard as it is', () => {
    const batch = begin(world, { perturbations: { observation_noise: 0.5 } });
    say(batch, 2);
    expect(observed(batch, 1).slice(8)).toEqual([0, 0, 1]);
    expect(observed(batch, 0)).not.toEqual(observed(begin(world, {}), 0));
  });
});

describe('partners', () => {
  const complaint = (partners: Data) => {
    const { error } = world.simulatorSchema.safeParse({ partners });
    return error === undefined ? 'accepted' : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
  };

  it('may have the policies of their role only; a policy of the other role is refused by its name', () => {
    for (const [seat, own, other] of [
      [0, 'speaker', 'listener'],
      [1, 'listener', 'speaker'],
    ] as const) {
      // prettier-ignore
      const names: readonly string[] = SCRIPTED_POLICIES[own];
      const foreign = SCRIPTED_POLICIES[other].filter((name) => !names.includes(name));
      expect(foreign.length).toBeGreaterThanOrEqual(3);
      for (const name of foreign) {
        expect(complaint({ [seat]: scripted(name) })).toContain(
          `partners.${seat}.name: ${name} is a policy of the ${other}, this is a seat of the ${own}: ${names.join(', ')}`,
        );
      }
      for (const name of names.filter((each) => each !== 'code_book' && each !== 'fixed_landmark')) {
        expect(complaint({ [seat]: scripted(name) }), name).toBe('accepted');
      }
    }
  });

  it.each([
    [0, scripted('faithfull'), /^partners.0.name: .*'faithful'/],
    [0, scripted('code_book'), /^partners.0.code_book: /],
    [1, scripted('code_book', { code_book: 6 }), /^partners.1.code_book: .*<=5/],
    [1, scripted('fixed_landmark'), /^partners.1.landmark: /],
    [0, scripted('faithful', { speed: 0.5 }), /^partners.0: .*speed/],
    [0, scripted('faithful', { action_bias: [1, 1, 1, 1, 1] }), /^partners.0.action_bias: /],
    [0, scripted('random', { epsilon: 0.1 }), /^partners.0: .*epsilon/],
  ])('on seat %i, %j are told what is wrong', (seat, partner, expected) => {
    expect(complaint({ [seat]: partner })).toMatch(expected);
  });

  /** What a scripted speaker says in an episode. */
  function words(partner: Data, goal: number, seed = 1): number[] {
    const { agents, landmarks } = told(begin(world, {}));
    const batch = begin(world, { partners: { 0: partner }, scenarios: { start: { agents, landmarks, goal } } }, seed);
    return Array.from({ length: world.episodeStepsMax }, () => {
      say(batch, 0);
      return batch.actions[0]!;
    });
  }
  const always = (word: number) => new Array<number>(world.episodeStepsMax).fill(word);

  it('speak as their policy says', () => {
    for (const goal of GOALS) {
      expect(words(scripted('faithful'), goal)).toEqual(always(goal));
      expect(words(scripted('noop'), goal)).toEqual(always(0));
      expect(words(scripted('once'), goal)).toEqual([goal, ...always(0).slice(1)]);
      expect(words(scripted('faithful', { lateness: 4 }), goal)).toEqual([...[0, 0, 0, 0], ...always(goal).slice(4)]);
      CODE_BOOKS.forEach((book, code_book) =>
        expect(words(scripted('code_book', { code_book }), goal)).toEqual(always(book[goal]!)),
      );
    }
    expect(new Set(words(scripted('random'), 0))).toEqual(new Set(GOALS));
    expect(new Set(words(scripted('random', { action_bias: [0, 1, 0] }), 0))).toEqual(new Set([1]));
  });

  it('keep the code book that they drew for an episode, each as often as another', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 300; seed += 1) {
      const book = GOALS.map((goal) => words(scripted('drawn_code_book'), goal, seed)).map((all) => {
        expect(new Set(all).size).toBe(1);
        return all[0];
      });
      counts.set(book.join(''), (counts.get(book.join('')) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(CODE_BOOKS.map((book) => book.join('')));
    for (const count of counts.values()) expectShare(count, 300, 1 / 6);
  });

  const long = open({ episode_steps: 60 });
  const landmarks: Pair[] = [
    [-0.8, 0.6],
    [0.9, 0.8],
    [0.2, -0.9],
  ];
  const middle: Pair = [0.1, 0.5 / 3];

  /** Where a scripted listener comes to rest that hears one word again and again; no word is heard as nothing. */
  function rest(partner: Data, word: number | null): Pair {
    const start = { agents: [[0, 0], [0.3, 0.4]], landmarks }; // prettier-ignore
    const perturbations = { channel_loss: word === null ? 1 : 0 };
    const batch = begin(long, { partners: { 1: partner }, scenarios: { start }, perturbations });
    for (let step = 0; step < 60; step += 1) say(batch, word ?? 0);
    return told(batch).agents[1]!;
  }

  it('listen as their policy says', () => {
    for (const word of GOALS) {
      expect(distance(rest(scripted('greedy'), word), landmarks[word]!)).toBeLessThan(0.1);
      CODE_BOOKS.forEach((book, code_book) => {
        const meant = landmarks[book.indexOf(word)]!;
        expect(distance(rest(scripted('code_book', { code_book }), word), meant)).toBeLessThan(0.1);
      });
      const lazy = distance(rest(scripted('lazy'), word), landmarks[word]!);
      expect(lazy).toBeLessThan(0.5);
      expect(lazy).toBeGreaterThan(0.2);
      expect(distance(rest(scripted('centre'), word), middle)).toBeLessThan(0.1);
      expect(distance(rest(scripted('nearest_landmark'), word), landmarks[1]!)).toBeLessThan(0.1);
      expect(distance(rest(scripted('fixed_landmark', { landmark: 2 }), word), landmarks[2]!)).toBeLessThan(0.1);
      expect(rest(scripted('noop'), word)).toEqual([0.3, 0.4]);
    }
    expect(distance(rest(scripted('greedy'), null), middle)).toBeLessThan(0.1);
  });
});

describe('rewards', () => {
  it('are the weighted formulas, the same for both, and success is to be at the goal', () => {
    const weight = fc.double({ min: 0, max: 10, noNaN: true });
    const seen = { arrived: 0, away: 0 };
    fc.assert(
      fc.property(weight, weight, weight, fc.nat(), (squared_distance, linear, arrival, seed) => {
        const rewards = { squared_distance, distance: linear, arrival };
        const batch = begin(world, { rewards, scenarios: { landmark_half_width: 0.1, agent_half_width: 0.1 } }, seed);
        say(batch, seed % 3, seed % 5);
        const { agents, landmarks, goal } = told(batch);
        const d = distance(agents[1]!, landmarks[goal!]!);
        const expected = -squared_distance * d ** 2 - linear * d + (d < 0.1 ? arrival : 0);
        expect(batch.rewards[0]).toBeCloseTo(expected, 9);
        expect(batch.rewards[1]).toBe(batch.rewards[0]);
        expect(batch.success[0]).toBe(d < 0.1 ? 1 : 0);
        seen[d < 0.1 ? 'arrived' : 'away'] += 1;
      }),
      { numRuns: 200 },
    );
    expect(Math.min(seen.arrived, seen.away)).toBeGreaterThan(20);
  });
});

describe('returns of scripted players', () => {
  const EPISODES = 640;

  function play(speaker: Data, listener: Data, extra: Data = {}) {
    const parameters = world.compile(world.simulatorSchema.parse({ partners: { 0: speaker, 1: listener }, ...extra }));
    const batch = world.createBatch(EPISODES);
    const returns = new Float64Array(EPISODES);
    for (let episode = 0; episode < EPISODES; episode += 1) batch.reset(episode, parameters, keyFrom(1, episode));
    for (let time = 0; time < world.episodeStepsMax; time += 1) {
      void batch.step(new Int32Array(2 * EPISODES));
      batch.rewards.forEach((reward, at) => (returns[Math.floor(at / 2)]! += reward));
    }
    return returns.reduce((sum, value) => sum + value, 0) / EPISODES;
  }

  it('rise with what is told and understood: from chance over those who hear nothing to those who agree', () => {
    const chance = play(scripted('random'), scripted('random'));
    const misunderstood = play(scripted('code_book', { code_book: 3 }), scripted('greedy'));
    const silent = play(scripted('noop'), scripted('greedy'));
    const deaf = play(scripted('noop'), scripted('centre'));
    const agreed = play(scripted('faithful'), scripted('greedy'));
    const returns = [chance, misunderstood, silent, deaf, agreed];
    expect(returns).toEqual(returns.toSorted((a, b) => a - b));
    expect(agreed).toBeGreaterThan(deaf / 1.8);
  });

  it('are the same in every code book that both have, and in a channel that undoes the difference', () => {
    const agreed = play(scripted('faithful'), scripted('greedy'));
    for (const code_book of [1, 2, 3, 4, 5]) {
      const shared = play(scripted('code_book', { code_book }), scripted('code_book', { code_book }));
      expect(shared).toBe(agreed);
      const perturbations = { channel_permutation: code_book };
      expect(play(scripted('faithful'), scripted('code_book', { code_book }), { perturbations })).toBe(agreed);
    }
  });
});
