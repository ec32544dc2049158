import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, World } from '../contract.ts';
import { keyFrom } from '../random.ts';
import { foraging } from './family.ts';
import { SCRIPTED_POLICIES } from './parameters.ts';
import type { Start } from './simulator-data.ts';
import { ACTION } from './state.ts';

type Triple = [row: number, column: number, level: number];

const { none, north, south, west, east, load } = ACTION;

function open(options: Record<string, unknown> = {}): World {
  return foraging.open(foraging.optionsSchema.parse(options));
}

/** One environment of a simulator, started under a key. */
function begin(world: World, simulator: unknown = {}, seed = 1): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

function stateOf(batch: Batch): Start {
  return batch.state(0) as Start;
}

function step(batch: Batch, ...actions: number[]): void {
  void batch.step(Int32Array.from(actions));
}

/** The first issue of a simulator that is refused: where, and what is said. */
function complaint(world: World, simulator: unknown): string {
  const { error } = world.simulatorSchema.safeParse(simulator);
  return error === undefined ? 'accepted' : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
}

function cells(batch: Batch): [number, number][] {
  return stateOf(batch).players.map(([row, column]) => [row, column]);
}

const scripted = (name: string, numbers: Record<string, unknown> = {}) => ({
  partners: { 1: { kind: 'scripted', name, ...numbers } },
});

describe('simulator data', () => {
  it('takes its defaults from the options', () => {
    const written = { max_player_level: 3, max_food_level: 4, force_coop: true, sight: 2 };
    const simulator = open({ ...written, field_size: 6 }).simulatorSchema.parse({});
    expect(simulator.rules['sight']).toBe(2);
    expect(simulator.scenarios).toMatchObject({ max_player_level: 3, max_food_level: 4, force_coop: true });
    const plain = open({ field_size: 6 }).simulatorSchema.parse({});
    expect(plain.rules['sight']).toBe(6);
    expect(plain.scenarios).toMatchObject({ max_player_level: 2, max_food_level: null, force_coop: false });
  });

  it('puts every number where its path says', () => {
    const world = open({ players: 2, food: 2 });
    const start: { players: Triple[]; food: Triple[] } = {
      players: [
        [0, 1, 2],
        [7, 7, 1],
      ],
      food: [[3, 4, 5]],
    };
    const action_bias = [0, 0.5, 1, 1, 1, 1];
    const vector = world.compile(
      world.simulatorSchema.parse({
        ...scripted('highest_food', { epsilon: 0.25, action_bias }),
        rules: { sight: 3, move_success: 0.5 },
        scenarios: { start, force_coop: true, max_food_level: 9 },
        rewards: { shared: 0.5 },
      }),
    );
    const at = (path: string) => vector[world.parameters.findIndex((parameter) => parameter.path === path)];
    expect(at('partners.0.name')).toBe(0);
    expect(at('partners.0.speed')).toBe(1);
    expect(at('partners.1.name')).toBe(1 + SCRIPTED_POLICIES.indexOf('highest_food'));
    expect(at('partners.1.epsilon')).toBe(0.25);
    action_bias.forEach((weight, action) => expect(at(`partners.1.action_bias.${action}`)).toBe(weight));
    expect([at('rules.sight'), at('rules.move_success'), at('rewards.shared')]).toEqual([3, 0.5, 0.5]);
    expect([at('scenarios.force_coop'), at('scenarios.max_food_level')]).toEqual([1, 9]);
    start.players.forEach((player, seat) =>
      player.forEach((number, part) => expect(at(`scenarios.start.players.${seat}.${part}`)).toBe(number)),
    );
    start.food[0]!.forEach((number, part) => expect(at(`scenarios.start.food.0.${part}`)).toBe(number));
    expect(at('scenarios.start.food.1.0')).toBeLessThan(-1);
  });

  const players: Triple[] = [
    [0, 0, 1],
    [0, 1, 1],
  ];
  it.each<[unknown, RegExp]>([
    [scripted('nearest'), /^partners.1.name: .*nearest_food/],
    [{ partners: { 2: { kind: 'self' } } }, /^partners: There is no seat 2; seats are 0 … 1/],
    [{ partners: { 1: { kind: 'policy' } } }, /^partners.1.artifact: .*by `file`/],
    [scripted('random', { epsilon: 0.5 }), /^partners.1: .*epsilon/],
    [{ rules: { sight: 9 } }, /^rules.sight: .*<=8/],
    [{ perturbations: { observation_noise: 0.1 } }, /^perturbations: .*observation_noise/],
    [{ scenarios: { min_player_level: 3 } }, /^scenarios.max_player_level: .*below/],
    [{ scenarios: { min_food_level: 3, max_food_level: 2 } }, /^scenarios.max_food_level: .*below/],
    [{ scenarios: { start: { players: [players[0]], food: [] } } }, /^scenarios.start.players: /],
    [{ scenarios: { start: { players: [players[0], players[0]], food: [] } } }, /^scenarios.start.players.1: Another/],
    [{ scenarios: { start: { players, food: [[0, 3, 1]] } } }, /^scenarios.start.food.0.0: /],
    [
      {
        scenarios: {
          start: {
            players,
            food: [
              [3, 3, 1],
              [4, 4, 1],
            ],
          },
        },
      },
      /^scenarios.start.food.1: Food must/,
    ],
    [
      {
        scenarios: {
          start: {
            players,
            food: [
              [3, 3, 1],
              [3, 5, 1],
            ],
          },
        },
      },
      /^scenarios.start.food.1: Food must/,
    ],
    [
      {
        scenarios: {
          start: {
            players,
            food: [
              [3, 3, 1],
              [4, 5, 1],
            ],
          },
        },
      },
      /^accepted$/,
    ],
  ])('says of %j what is wrong', (simulator, expected) => {
    expect(complaint(open(), simulator)).toMatch(expected);
  });

  it('refuses a start with a player on food', () => {
    const start = { players: [[3, 3, 1], players[0]], food: [[3, 3, 1]] };
    expect(complaint(open(), { scenarios: { start } })).toMatch(/^scenarios.start.food.0: A player/);
    expect(open().startSchema.safeParse(start).success).toBe(false);
  });
});

describe('starts', () => {
  /** Every start of a simulator under many keys. */
  function starts(world: World, simulator: unknown = {}, count = 400): Start[] {
    const batch = world.createBatch(1);
    const vector = world.compile(world.simulatorSchema.parse(simulator));
    return Array.from({ length: count }, (_, seed) => {
      batch.reset(0, vector, keyFrom(seed));
      return stateOf(batch);
    });
  }

  it('place players apart, and food inside, apart from players and other food', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 9 }), fc.integer({ min: 2, max: 8 }), fc.nat(), (size, crew, seed) => {
        const world = open({ field_size: size, players: crew, food: 4 });
        const { players, food } = stateOf(begin(world, {}, seed));
        expect(new Set(players.map(([row, column]) => `${row} ${column}`)).size).toBe(crew);
        expect(world.simulatorSchema.safeParse({ scenarios: { start: { players, food } } }).success).toBe(true);
      }),
    );
  });

  it('put players on every cell, and food on every inner cell, alike often', () => {
    const size = 5;
    const count = 5000;
    const all = starts(open({ field_size: size, food: 1 }), {}, count);
    const tally = (items: readonly Triple[]) => {
      const times = new Map<string, number>();
      for (const [row, column] of items) {
        times.set(`${row} ${column}`, (times.get(`${row} ${column}`) ?? 0) + 1);
      }
      return [...times.values()];
    };
    const seats = tally(all.map(({ players }) => players[1]!));
    const food = tally(all.flatMap((start) => start.food));
    for (const [times, cellCount] of [
      [seats, size ** 2],
      [food, (size - 2) ** 2],
    ] as const) {
      expect(times).toHaveLength(cellCount);
      const expected = count / cellCount;
      // Five standard errors of a binomial count.
      for (const each of times) expect(Math.abs(each - expected)).toBeLessThan(5 * Math.sqrt(expected));
    }
  });

  it('draw all levels in their ranges; food reaches what the three weakest players do, and does with force_coop', () => {
    const world = open({ players: 4, food: 2, field_size: 8 });
    const simulator = { scenarios: { min_player_level: 2, max_player_level: 4 } };
    const levels = new Set<number>();
    const reached = { below: 0, equal: 0 };
    for (const { players, food } of starts(world, simulator)) {
      const ranks = players.map(([, , level]) => level).sort((a, b) => a - b);
      ranks.forEach((level) => levels.add(level));
      const most = ranks[0]! + ranks[1]! + ranks[2]!;
      for (const [, , level] of food) {
        expect(level).toBeGreaterThanOrEqual(1);
        expect(level).toBeLessThanOrEqual(most);
        reached[level === most ? 'equal' : 'below'] += 1;
      }
    }
    expect([...levels].sort()).toEqual([2, 3, 4]);
    expect(Math.min(reached.below, reached.equal)).toBeGreaterThan(20);
    for (const { players, food } of starts(world, { scenarios: { ...simulator.scenarios, force_coop: true } }, 50)) {
      const ranks = players.map(([, , level]) => level).sort((a, b) => a - b);
      for (const [, , level] of food) expect(level).toBe(ranks[0]! + ranks[1]! + ranks[2]!);
    }
  });

  const start: { players: Triple[]; food: Triple[] } = {
    players: [
      [0, 0, 2],
      [7, 3, 1],
    ],
    food: [
      [2, 5, 3],
      [5, 2, 1],
    ],
  };

  it('are exactly the start when nothing else is said, food that is left out being none', () => {
    const world = open();
    expect(stateOf(begin(world, { scenarios: { start } }))).toMatchObject({ ...start, spawned: 4, step: 0 });
    const single = { ...start, food: [start.food[1]!] };
    expect(stateOf(begin(world, { scenarios: { start: single } }))).toMatchObject({ ...single, spawned: 1 });
  });

  it('stay within `start_spread` of the start, and fill it', () => {
    const seen = new Set<string>();
    for (const { players, food } of starts(open(), { scenarios: { start, start_spread: 1 } })) {
      [...players, ...food].forEach(([row, column, level], index) => {
        const [atRow, atColumn, atLevel] = [...start.players, ...start.food][index]!;
        expect(Math.max(Math.abs(row - atRow), Math.abs(column - atColumn))).toBeLessThanOrEqual(1);
        expect(level).toBe(atLevel);
        if (index === 2) seen.add(`${row} ${column}`);
      });
    }
    expect(seen.size).toBe(9);
  });

  it('are legal whatever a draw writes into the parameter vector', () => {
    const world = open({ field_size: 5, players: 3, food: 3 });
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })), fc.nat(), (draws, seed) => {
        const vector = Float64Array.from(world.parameters, ({ low, high, kind }, index) => {
          const share = draws[index % Math.max(1, draws.length)] ?? 0;
          return kind === 'real' ? low + share * (high - low) : low + Math.floor(share * (high - low + 1));
        });
        const batch = world.createBatch(1);
        batch.reset(0, vector, keyFrom(seed));
        const { players, food } = stateOf(batch);
        expect(world.startSchema.safeParse(batch.state(0)).success).toBe(true);
        expect(new Set(players.map(([row, column]) => `${row} ${column}`)).size).toBe(3);
        expect(food.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe('moves', () => {
  const world = open({ players: 3, food: 1 });
  const far: Triple[] = [[6, 6, 1]];

  /** Cells of three players after a step without food near. */
  function after(players: Triple[], ...actions: number[]): [number, number][] {
    const batch = begin(world);
    batch.place(0, world.startSchema.parse({ players, food: far }));
    step(batch, ...actions);
    return cells(batch);
  }

  it('lead where they say, and not out of the field', () => {
    const corners: Triple[] = [
      [0, 0, 1],
      [7, 7, 1],
      [3, 3, 1],
    ];
    expect(after(corners, north, south, north)).toEqual([
      [0, 0],
      [7, 7],
      [2, 3],
    ]);
    expect(after(corners, west, east, west)).toEqual([
      [0, 0],
      [7, 7],
      [3, 2],
    ]);
    expect(after(corners, south, north, east)).toEqual([
      [1, 0],
      [6, 7],
      [3, 4],
    ]);
  });

  const row = (...columns: number[]): Triple[] => columns.map((column) => [3, column, 1]);
  it.each<[string, Triple[], number[], number[]]>([
    ['let nobody into a cell that two want', row(1, 3, 7), [east, west, none], [1, 3, 7]],
    ['let nobody into the cell of one who stays', row(1, 2, 7), [east, none, none], [1, 2, 7]],
    ['let players change places', row(1, 2, 7), [east, west, none], [2, 1, 7]],
    ['let players follow each other', row(1, 2, 3), [east, east, east], [2, 3, 4]],
    ['let one into the cell of another who fails to leave it', row(1, 2, 4), [east, east, west], [2, 2, 4]],
  ])('%s', (_title, players, actions, columns) => {
    expect(after(players, ...actions)).toEqual(columns.map((column) => [3, column]));
  });

  it('are lost as often as `move_success` says', () => {
    const success = 0.7;
    let moved = 0;
    const count = 2000;
    for (let seed = 0; seed < count; seed += 1) {
      const batch = begin(world, { rules: { move_success: success } }, seed);
      batch.place(0, world.startSchema.parse({ players: row(1, 3, 6), food: far }));
      step(batch, east, none, none);
      if (cells(batch)[0]![1] === 2) moved += 1;
    }
    expect(Math.abs(moved - success * count)).toBeLessThan(4 * Math.sqrt(count * success * (1 - success)));
  });

  it('are refused when there is no such action', () => {
    for (const wrong of [-1, 6]) expect(() => step(begin(world), none, none, wrong)).toThrow(/is no action/);
  });
});

describe('loads', () => {
  const world = open({ players: 3, food: 2 });
  const food: Triple[] = [
    [3, 3, 3],
    [6, 6, 2],
  ];
  const beside: Triple[] = [
    [3, 2, 1],
    [2, 3, 2],
    [4, 3, 4],
  ];

  function after(simulator: unknown, ...actions: number[]): Batch {
    const batch = begin(world, simulator);
    batch.place(0, world.startSchema.parse({ players: beside, food }));
    step(batch, ...actions);
    return batch;
  }

  it('lift food when the levels of those who load add up to its own, and pay them by their levels', () => {
    const together = after({}, load, load, none);
    expect([...together.rewards]).toEqual([(1 * 3) / (3 * 5), (2 * 3) / (3 * 5), 0]);
    expect(stateOf(together).food).toEqual([food[1]]);
    expect([...after({}, none, none, load).rewards]).toEqual([0, 0, (4 * 3) / (4 * 5)]);
    expect([...after({ rewards: { normalized: 0 } }, load, load, none).rewards]).toEqual([3, 6, 0]);
  });

  it('do nothing but cost the penalty when the levels do not reach', () => {
    const alone = after({ rewards: { penalty: 0.25 } }, load, none, none);
    expect([...alone.rewards]).toEqual([-0.25, 0, 0]);
    expect(stateOf(alone).food).toEqual(food);
    expect([...after({}, none, load, none).rewards]).toEqual([0, 0, 0]);
  });

  it('are shared as far as `shared` says, which leaves their sum', () => {
    const own = [...after({}, load, load, none).rewards];
    const sum = own.reduce((total, reward) => total + reward, 0);
    for (const shared of [0.4, 1]) {
      const rewards = [...after({ rewards: { shared } }, load, load, none).rewards];
      rewards.forEach((reward, seat) => expect(reward).toBeCloseTo((1 - shared) * own[seat]! + (shared * sum) / 3, 12));
    }
  });

  it('fail as often as `load_success` says, all who load together', () => {
    const success = 0.3;
    let lifted = 0;
    const count = 2000;
    for (let seed = 0; seed < count; seed += 1) {
      const batch = begin(world, { rules: { load_success: success } }, seed);
      batch.place(0, world.startSchema.parse({ players: beside, food }));
      step(batch, load, load, none);
      const paid = [...batch.rewards].filter((reward) => reward > 0).length;
      expect([0, 2]).toContain(paid);
      expect(stateOf(batch).food).toHaveLength(paid === 2 ? 1 : 2);
      if (paid === 2) lifted += 1;
    }
    expect(Math.abs(lifted - success * count)).toBeLessThan(4 * Math.sqrt(count * success * (1 - success)));
  });

  it('end the episode with success, having paid 1 in total, when no food is left', () => {
    const batch = begin(world);
    batch.place(0, world.startSchema.parse({ players: [[3, 2, 3], [6, 5, 2], beside[2]], food }));
    step(batch, load, none, none);
    expect([batch.ended[0], batch.success[0]]).toEqual([0, 0]);
    const first = batch.rewards[0]!;
    step(batch, none, load, none);
    expect([batch.ended[0], batch.success[0], batch.truncated[0]]).toEqual([1, 1, 0]);
    expect(first + batch.rewards[1]!).toBeCloseTo(1, 12);
  });
});

describe('seats', () => {
  it('permute results when they are permuted', () => {
    const world = open({ players: 4, food: 3, field_size: 6 });
    const walk = fc.array(fc.array(fc.nat(5), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 30 });
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
    let paid = 0;
    fc.assert(
      fc.property(order, walk, fc.nat(), (seats, actions, seed) => {
        const [plain, permuted] = [begin(world, {}, seed), begin(world, {}, seed)];
        const { players, food } = stateOf(plain);
        permuted.place(0, world.startSchema.parse({ players: seats.map((seat) => players[seat]!), food }));
        for (const joint of actions) {
          step(plain, ...joint);
          step(permuted, ...seats.map((seat) => joint[seat]!));
          expect([...permuted.rewards]).toEqual(seats.map((seat) => plain.rewards[seat]!));
          expect(cells(permuted)).toEqual(seats.map((seat) => cells(plain)[seat]!));
          if (plain.rewards.some((reward) => reward > 0)) paid += 1;
        }
      }),
    );
    expect(paid).toBeGreaterThan(10);
  });
});

describe('scripted partners', () => {
  const world = open({ players: 2, food: 3, field_size: 10, episode_steps: 60 });
  const food: Triple[] = [
    [1, 6, 2],
    [4, 2, 1],
    [7, 7, 3],
  ];
  const players: Triple[] = [
    [9, 9, 1],
    [5, 3, 1],
  ];

  /** The food that a partner on seat 1 stands beside after 40 steps, by its place in the list; −1 for none. */
  function destination(partner: Record<string, unknown>, crew = players): number {
    const simulator = {
      partners: { 1: { kind: 'scripted', ...partner } },
      scenarios: { start: { players: crew, food } },
    };
    const batch = begin(world, { ...simulator, rules: { load_success: 0 } });
    for (let count = 0; count < 40; count += 1) step(batch, none, none);
    const [row, column] = cells(batch)[1]!;
    return food.findIndex(([atRow, atColumn]) => Math.abs(row - atRow) + Math.abs(column - atColumn) === 1);
  }

  const strong: Triple[] = [
    [9, 9, 2],
    [1, 9, 2],
  ];
  it.each<[string, Triple[], number]>([
    ['noop', players, -1],
    ['nearest_food', players, 1],
    ['central_food', players, 2],
    ['own_level_food', strong, 0],
    ['team_level_food', players, 1],
    ['team_level_food', strong, 2],
    ['highest_food', players, 2],
    ['lowest_food', strong, 1],
    ['topmost_food', players, 0],
    ['bottommost_food', players, 2],
    ['leftmost_food', strong, 1],
    ['rightmost_food', players, 2],
    ['follow_partner', players, 2],
    ['cooperative_food', strong, 2],
  ])('%s of players %j ends at food %i', (name, crew, expected) => {
    expect(destination({ name }, crew)).toBe(expected);
    if (name !== 'noop') expect(destination({ name, lateness: 5, speed: 0.8 }, crew)).toBe(expected);
  });

  it('load the food they reach, and go on to the next', () => {
    const single = open({ players: 2, food: 2 });
    const simulator = {
      ...scripted('nearest_food'),
      scenarios: {
        start: {
          players: [
            [0, 0, 1],
            [7, 7, 4],
          ],
          food: [
            [2, 2, 3],
            [5, 5, 2],
          ],
        },
      },
    };
    const batch = begin(single, simulator);
    for (let count = 0; count < 30 && batch.ended[0] === 0; count += 1) step(batch, none, none);
    expect(batch.success[0]).toBe(1);
  });

  it.each([
    { players: 2, food: 2, force_coop: true },
    { players: 3, food: 3 },
    { players: 6, food: 4, field_size: 7, force_coop: true },
  ])('eat everything in almost every episode when all cooperate: %j', (options) => {
    const crowd = open(options);
    const partner = { kind: 'scripted', name: 'cooperative_food' };
    const partners = Object.fromEntries(Array.from({ length: options.players }, (_, seat) => [seat, partner]));
    let successes = 0;
    for (let seed = 0; seed < 100; seed += 1) {
      const batch = begin(crowd, { partners }, seed);
      let sum = 0;
      for (let count = 0; count < 50 && batch.ended[0] === 0; count += 1) {
        step(batch, ...new Array<number>(options.players).fill(none));
        sum += batch.rewards.reduce((total, reward) => total + reward, 0);
      }
      successes += batch.success[0]!;
      if (batch.success[0] === 1) expect(sum).toBeCloseTo(1, 9);
    }
    expect(successes).toBeGreaterThanOrEqual(95);
  });

  it('go around what is in the way, when they cooperate', () => {
    const way = open({ players: 3, food: 2 });
    const crew = [
      [3, 1, 1],
      [3, 2, 1],
      [0, 0, 1],
    ];
    const walled = { players: crew, food: [[3, 4, 1]] };
    const simulator = { scenarios: { start: walled }, partners: { 0: { kind: 'scripted', name: 'cooperative_food' } } };
    const batch = begin(way, simulator);
    for (let count = 0; count < 12; count += 1) step(batch, none, none, none);
    expect(batch.success[0]).toBe(1);
    expect(cells(batch).slice(1)).toEqual([
      [3, 2],
      [0, 0],
    ]);
  });

  it('idle while they are late, and as often as `speed` says', () => {
    const moves = (numbers: Record<string, unknown>, seed: number) => {
      const batch = begin(world, { ...scripted('random', { ...numbers, action_bias: [0, 1, 1, 1, 1, 0] }) }, seed);
      return Array.from({ length: 40 }, () => {
        const before = String(cells(batch)[1]);
        step(batch, none, none);
        return String(cells(batch)[1]) === before ? 0 : 1;
      });
    };
    const late = moves({ lateness: 25 }, 3);
    expect(late.slice(0, 25)).toEqual(new Array(25).fill(0));
    expect(late.slice(25).some((moved) => moved === 1)).toBe(true);
    const all = Array.from({ length: 60 }, (_, seed) => moves({ speed: 0.25 }, seed)).flat();
    const moved = all.reduce<number>((sum, one) => sum + one, 0);
    // A move is blocked only by the other player, who is met hardly ever.
    expect(Math.abs(moved / all.length - 0.25)).toBeLessThan(0.03);
  });

  it('take one of the legal actions when they stray, in proportion to `action_bias`', () => {
    const start = { players: [players[0], [0, 0, 1]], food };
    const counts = { stays: 0, south: 0, east: 0 };
    for (let seed = 0; seed < 3000; seed += 1) {
      const stray = scripted('noop', { epsilon: 1, action_bias: [0, 1, 0.5, 1, 1, 1] });
      const batch = begin(world, { ...stray, scenarios: { start } }, seed);
      step(batch, none, none);
      const [row, column] = cells(batch)[1]!;
      counts[row === 1 ? 'south' : column === 1 ? 'east' : 'stays'] += 1;
    }
    // In the corner only south, weighing half, and east can be.
    expect(counts.stays).toBe(0);
    expect(Math.abs(counts.south - 1000)).toBeLessThan(4 * Math.sqrt(3000 * (1 / 3) * (2 / 3)));
  });

  it('see no farther than `sight`', () => {
    const start = { players, food };
    const blind = begin(world, { ...scripted('topmost_food'), rules: { sight: 2 }, scenarios: { start } });
    step(blind, none, none);
    // The only food within two cells lies left above: first along the column.
    expect(cells(blind)[1]).toEqual([4, 3]);
    step(blind, none, none);
    expect(cells(blind)[1]).toEqual([4, 3]);
    expect(stateOf(blind).food).toHaveLength(2);
  });
});

describe('perturbations', () => {
  const world = open({ players: 2, food: 1, episode_steps: 200 });
  const start = {
    players: [
      [0, 0, 1],
      [7, 7, 1],
    ],
    food: [[3, 3, 2]],
  };
  const walk = [south, east, east, south, none, west, north, south];

  function path(perturbations: Record<string, number>, actions: readonly number[]): [number, number][] {
    const batch = begin(world, { perturbations, scenarios: { start } });
    return actions.map((action) => {
      step(batch, action, none);
      return cells(batch)[0]!;
    });
  }

  it('delay the actions given from outside by whole steps, the player idling until then', () => {
    expect(path({ action_delay: 3 }, walk)).toEqual(path({}, [none, none, none, ...walk.slice(0, -3)]));
  });

  it('repeat the action before as often as `sticky_actions` says', () => {
    const turns = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? east : west));
    let repeated = 0;
    let steps = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const batch = begin(world, { perturbations: { sticky_actions: 0.3 }, scenarios: { start } }, seed);
      turns.forEach((action) => {
        const before = (batch.state(0) as { last_actions: number[] }).last_actions[0];
        step(batch, action, none);
        const now = (batch.state(0) as { last_actions: number[] }).last_actions[0];
        expect([before, action]).toContain(now);
        if (before === action) return;
        steps += 1;
        if (now === before) repeated += 1;
      });
    }
    expect(steps).toBeGreaterThan(1000);
    expect(Math.abs(repeated / steps - 0.3)).toBeLessThan(4 * Math.sqrt((0.3 * 0.7) / steps));
  });

  it('drop whole observations as often as `dropped_observations` says', () => {
    const size = world.groups[0]!.observationSize;
    const nothing = [-1, -1, 0, -1, -1, 0, -1, -1, 0];
    const batch = begin(world, { perturbations: { dropped_observations: 0.4 }, scenarios: { start } });
    const clear = begin(world, { scenarios: { start } });
    const [seen, whole] = [new Float64Array(2 * size), new Float64Array(2 * size)];
    let dropped = 0;
    for (let count = 0; count < 1000; count += 1) {
      batch.observe(0, seen);
      clear.observe(0, whole);
      for (const seat of [0, 1]) {
        const own = [...seen.subarray(seat * size, (seat + 1) * size)];
        if (own.join() === nothing.join()) dropped += 1;
        else expect(own).toEqual([...whole.subarray(seat * size, (seat + 1) * size)]);
      }
      step(batch, none, none);
      step(clear, none, none);
    }
    expect(Math.abs(dropped / 2000 - 0.4)).toBeLessThan(4 * Math.sqrt((0.4 * 0.6) / 2000));
  });
});

describe('state features', () => {
  it('are cell, share of food left, and steps to the nearest food and player', () => {
    const world = open({ players: 2, food: 2 });
    const batch = begin(world);
    const start = {
      players: [
        [3, 2, 1],
        [7, 4, 2],
      ],
      food: [
        [3, 3, 1],
        [6, 6, 3],
      ],
    };
    batch.place(0, world.startSchema.parse(start));
    const features = new Float64Array(2 * world.features.length);
    batch.observeFeatures(features);
    expect([...features]).toEqual([3, 2, 1, 1, 6, 7, 4, 1, 3, 6]);
    step(batch, load, none);
    batch.observeFeatures(features);
    expect([...features]).toEqual([3, 2, 3 / 4, 7, 6, 7, 4, 3 / 4, 3, 6]);
    batch.place(0, world.startSchema.parse({ ...start, food: [] }));
    batch.observeFeatures(features);
    expect([...features]).toEqual([3, 2, 0, 14, 6, 7, 4, 0, 14, 6]);
  });
});
