import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPythonBridge, type PythonBridge } from '../../infra/environments/python-bridge.ts';
import { installationRoot } from '../../infra/installation.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { createActions } from '../../simulators/actions.ts';
import { createBridgedFamily } from '../../simulators/bridged/family.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { foldIn, type Key, keyFrom, RandomStream } from '../../simulators/random.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment } from '../../specification/resolve.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

// Environments in a real Python process: those of MPE2 and PettingZoo, and small ones that do what a bridge has to cope with.

const PATIENCE_S = 2;
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-bridge-'));
const before = process.env['PYTHONPATH'];
let python: string;
let bridge: PythonBridge;

beforeAll(async () => {
  python = (await pythonEnvironment()).interpreter;
  process.env['PYTHONPATH'] = path.join(installationRoot(), 'test/support/environments');
  process.env['PYTHONDONTWRITEBYTECODE'] = '1';
  bridge = newBridge();
}, 300_000);

afterAll(() => {
  bridge.end();
  delete process.env['PYTHONDONTWRITEBYTECODE'];
  if (before === undefined) delete process.env['PYTHONPATH'];
  else process.env['PYTHONPATH'] = before;
  rmSync(folder, { recursive: true });
});

const newBridge = (interpreter = python): PythonBridge =>
  createPythonBridge(() => ({ python: interpreter, patienceS: PATIENCE_S, cache: path.join(folder, 'cache') }));

type Name = 'pettingzoo' | 'gymnasium';

function openOver(own: PythonBridge, name: Name, options: Record<string, unknown>): World {
  const family = createBridgedFamily(name, own);
  const parsed = family.optionsSchema.safeParse(options);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues));
  return family.open(parsed.data);
}

const openWorld = (name: Name, options: Record<string, unknown>): World => openOver(bridge, name, options);

const compiled = (world: World, simulator: Record<string, unknown> = {}): Float64Array =>
  world.compile(world.simulatorSchema.parse(simulator));

/** Random actions of one environment and step, a function of the key alone. */
function drawActions(world: World, key: Key, step: number): number[] {
  const stream = new RandomStream(key);
  stream.seek(step);
  const drawn = createActions(world, 1);
  for (let seat = 0; seat < world.seatCount; seat += 1) {
    const head = actionHead(world.groups.find(({ seats }) => seats.includes(seat))!.actions);
    head.any(stream, drawn, seat * head.actionSize);
  }
  return [...drawn];
}

function actionsOf(world: World, numbers: readonly number[]): ActionArray {
  const actions = createActions(world, numbers.length / createActions(world, 1).length);
  actions.set(numbers);
  return actions;
}

/** What is seen of one environment of a batch. */
function look(world: World, batch: Batch, environment: number) {
  const share = (array: ArrayLike<number>) => {
    const length = array.length / batch.environmentCount;
    return Array.from({ length }, (_, index) => array[environment * length + index]!);
  };
  const seen = world.groups.map((group, index) => {
    const out = new Float32Array(batch.environmentCount * group.seats.length * group.observationSize);
    batch.observe(index, out);
    return share(out);
  });
  return { seen, rewards: share(batch.rewards), ends: [share(batch.ended), share(batch.truncated)].flat() };
}

interface Played {
  readonly key: Key;
  readonly parameters: Float64Array;
}

/** Episodes beside each other, step by step until each is over. */
function play(world: World, episodes: readonly Played[]) {
  const batch = world.createBatch(episodes.length);
  episodes.forEach(({ key, parameters }, environment) => batch.reset(environment, parameters, key));
  const moments = episodes.map((_, environment) => [look(world, batch, environment)]);
  for (let step = 0; step < world.episodeStepsMax; step += 1) {
    void batch.step(
      actionsOf(
        world,
        episodes.flatMap(({ key }) => drawActions(world, foldIn(key, 9), step)),
      ),
    );
    moments.forEach((own, environment) => {
      if (own.at(-1)!.ends.every((end) => end === 0)) own.push(look(world, batch, environment));
    });
  }
  batch.close?.();
  return moments;
}

const TAG = { environment: 'mpe2.simple_tag_v3', arguments: { num_adversaries: 2 } };
const WORLDS: readonly (readonly [Name, Record<string, unknown>])[] = [
  ['pettingzoo', TAG],
  ['pettingzoo', { environment: 'mpe2.simple_spread_v3', arguments: { continuous_actions: true } }],
  [
    'pettingzoo',
    { environment: 'pettingzoo.classic.tictactoe_v3', episode_steps: 12, wrappers: [{ name: 'flatten' }] },
  ],
  ['pettingzoo', { environment: 'bridge_worlds:Leaving', episode_steps: 20 }],
  ['gymnasium', { environment: 'CartPole-v1', episode_steps: 30 }],
  ['gymnasium', { environment: 'bridge_worlds:Pushed', episode_steps: 30 }],
  ['gymnasium', { environment: 'bridge_worlds:Nested', episode_steps: 30, wrappers: [{ name: 'flatten' }] }],
  [
    'gymnasium',
    { environment: 'bridge_worlds:Pushed', episode_steps: 30, wrappers: [{ name: 'discretize', bins: 4 }] },
  ],
];

describe.each(WORLDS)('%s %o', (name, options) => {
  it('plays an episode of a key the same, whatever is played beside it, and another of another key', () => {
    const world = openWorld(name, options);
    const parameters = compiled(world);
    const episode = (key: number): Played => ({ key: keyFrom(key), parameters });
    const [alone] = play(world, [episode(1)]);
    const beside = play(world, [episode(2), episode(1), episode(3)]);
    expect(beside[1]).toEqual(alone);
    expect(beside[0]).not.toEqual(alone);
    // Sizes are as the world says, and every episode comes to an end.
    for (const { seen } of alone!) {
      seen.forEach((numbers, group) => {
        const { seats, observationSize } = world.groups[group]!;
        expect(numbers).toHaveLength(seats.length * observationSize);
      });
    }
    for (const episodes of beside) expect(episodes.at(-1)!.ends.filter((end) => end === 1)).toHaveLength(1);
  });

  it('begins an episode anew in the middle of others, and goes on from a state that was told', () => {
    const world = openWorld(name, options);
    const parameters = compiled(world);
    const [whole] = play(world, [{ key: keyFrom(5), parameters }]);
    const batch = world.createBatch(2);
    for (const environment of [0, 1]) batch.reset(environment, parameters, keyFrom(4));
    const both = (key: Key, step: number) => {
      const one = drawActions(world, key, step);
      return actionsOf(world, [...one, ...one]);
    };
    void batch.step(both(keyFrom(4), 0));
    const neighbour = look(world, batch, 1);
    batch.reset(0, parameters, keyFrom(5));
    expect(look(world, batch, 0)).toEqual(whole![0]);
    expect(look(world, batch, 1)).toEqual(neighbour);
    void batch.step(both(foldIn(keyFrom(5), 9), 0));
    void batch.step(both(foldIn(keyFrom(5), 9), 1));
    expect(look(world, batch, 0)).toEqual(whole![2]);
    const told = world.startSchema.parse(JSON.parse(JSON.stringify(batch.state(0))));
    const other = world.createBatch(1);
    other.reset(0, parameters, keyFrom(77));
    other.place(0, told);
    expect(look(world, other, 0).seen).toEqual(whole![2]!.seen);
    expect(world.draw(other.state(0), world.simulatorSchema.parse({}).rules).shapes).toHaveLength(world.seatCount);
    batch.close?.();
    other.close?.();
  });
});

describe('what environments tell', () => {
  it('becomes seats with roles, and the version of the rules', () => {
    const world = openWorld('pettingzoo', TAG);
    expect(world.groups.map(({ role, seats }) => [role, seats])).toEqual([
      ['adversary', [0, 1]],
      ['agent', [2]],
    ]);
    expect(world.episodeStepsMax).toBe(25);
    expect(world.version).toMatch(/\bmpe2-1\.1\.1 .*pettingzoo-1\.27\.0/);
    expect(openWorld('gymnasium', { environment: 'bridge_worlds:Line', episode_steps: 9 }).version).toMatch(
      /bridge_worlds-[0-9a-f]{12}/,
    );
  });

  it('may have a module that is called like one of ours', () => {
    const [called, usual] = ['layout', 'bridge_worlds'].map((module) =>
      openWorld('gymnasium', { environment: `${module}:Line`, episode_steps: 9 }),
    );
    expect(called!.groups).toEqual(usual!.groups);
  });

  it('is asked once, and again when something was installed', () => {
    const own = newBridge();
    const world = openOver(own, 'pettingzoo', TAG);
    expect(own.processId).toBeNull();
    expect(world.version).toBe(openWorld('pettingzoo', TAG).version);
    expect(readdirSync(path.join(folder, 'cache')).length).toBeGreaterThan(0);
  });

  it('keeps an end by the task apart from one by time', () => {
    const options = { environment: 'bridge_worlds:Line', episode_steps: 40 };
    const world = openWorld('gymnasium', { ...options, arguments: { goal: 2, stop_after: 30 } });
    const ends = [2, 0].map((action) => {
      const batch = world.createBatch(1);
      batch.reset(0, compiled(world), keyFrom(1));
      let steps = 0;
      while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
        void batch.step(Int32Array.of(action));
        steps += 1;
      }
      batch.close?.();
      return [batch.ended[0], batch.truncated[0], steps];
    });
    expect(ends[0]!.slice(0, 2)).toEqual([1, 0]);
    expect(ends[0]![2]).toBeLessThan(8);
    expect(ends[1]).toEqual([0, 1, 30]);
  });

  it('of agents that leave: they see nothing, get nothing and may do nothing, and the episode goes on without them', () => {
    const world = openWorld('pettingzoo', { environment: 'bridge_worlds:Leaving', episode_steps: 20 });
    const batch = world.createBatch(1);
    batch.reset(0, compiled(world), keyFrom(1));
    const masks = [new Uint8Array(8), new Uint8Array(2)];
    let illegal = 0;
    for (let step = 0; step < 6; step += 1) {
      const drawn = drawActions(world, keyFrom(3), step);
      masks.forEach((mask, group) => batch.actionMask!(group, mask));
      const isIllegal = masks[0]![drawn[0]!] === 0;
      void batch.step(actionsOf(world, drawn));
      illegal += isIllegal ? 1 : 0;
      if (isIllegal) expect(batch.actions[0]).toBe(masks[0]!.indexOf(1));
    }
    expect(illegal).toBeGreaterThan(0);
    const { seen, rewards, ends } = look(world, batch, 0);
    expect(rewards).toEqual([0, 0, 6]);
    expect(seen[0]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(ends).toEqual([0, 0]);
    batch.actionMask!(0, masks[0]!);
    expect([...masks[0]!]).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
    void batch.step(actionsOf(world, [0, 0, 0]));
    expect(look(world, batch, 0).ends).toEqual([1, 0]);
    batch.close?.();
  });

  it('of turns: who waits for his turn may do one thing, which nobody asks for', () => {
    const options = { environment: 'pettingzoo.classic.tictactoe_v3', episode_steps: 12 };
    const world = openWorld('pettingzoo', { ...options, wrappers: [{ name: 'flatten' }] });
    const batch = world.createBatch(1);
    batch.reset(0, compiled(world), keyFrom(1));
    const mask = new Uint8Array(18);
    const legal = () => {
      batch.actionMask!(0, mask);
      return [mask.subarray(0, 9), mask.subarray(9)].map((one) => one.reduce((sum, bit) => sum + bit, 0));
    };
    expect(legal()).toEqual([9, 1]);
    void batch.step(Int32Array.of(4, 0));
    expect(legal()).toEqual([1, 8]);
    batch.close?.();
  });
});

describe('rules', () => {
  const rules = {
    goal: { low: 1, high: 20, integer: true },
    tongue: { choices: ['plain', 'elaborate'] },
    stride: { attribute: 'stride', low: 0.5, high: 4 },
  };
  const options = { environment: 'bridge_worlds:Line', episode_steps: 30, rules };

  it('are arguments or attributes, have the defaults of the environment, and are parameters of simulators', () => {
    const world = openWorld('gymnasium', options);
    expect(world.simulatorSchema.parse({}).rules).toEqual({ goal: 4, tongue: 'plain', stride: 1 });
    expect(world.parameters.filter(({ path: place }) => place.startsWith('rules.')).map(({ kind }) => kind)).toEqual([
      'integer',
      'real',
      'choice',
    ]);
    const steps = (simulator: Record<string, unknown>) => {
      const batch = world.createBatch(1);
      batch.reset(0, compiled(world, simulator), keyFrom(1));
      const { seen } = look(world, batch, 0);
      let count = 0;
      while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
        void batch.step(Int32Array.of(2));
        count += 1;
      }
      batch.close?.();
      return { word: seen[0]![1], count };
    };
    const plain = steps({});
    expect(plain).toEqual({ word: 'plain'.length, count: expect.any(Number) });
    expect(steps({ rules: { goal: 15 } }).count).toBeGreaterThan(2 * plain.count);
    expect(steps({ rules: { stride: 4 } }).count).toBeLessThan(plain.count);
    expect(steps({ rules: { tongue: 'elaborate' } }).word).toBe('elaborate'.length);
    // What was changed for an episode is not left for the next.
    expect(steps({})).toEqual(plain);
  });

  it('may change from episode to episode in one environment', () => {
    const world = openWorld('gymnasium', options);
    const kinds = [{}, { rules: { goal: 15 } }, { rules: { stride: 3, tongue: 'elaborate' } }];
    const episodes = [0, 1, 2, 0, 2, 1].map((kind, index) => ({
      key: keyFrom(index),
      parameters: compiled(world, kinds[kind]),
    }));
    const together = play(world, episodes);
    episodes.forEach((episode, index) => expect(play(world, [episode])[0]).toEqual(together[index]));
  });
});

describe('partners and perturbations', () => {
  it('scripted seats act here, and what they did is told', () => {
    const world = openWorld('pettingzoo', TAG);
    const batch = world.createBatch(2);
    const partners = {
      0: { kind: 'scripted', name: 'constant', action: 3 },
      1: { kind: 'scripted', name: 'random' },
      2: { kind: 'scripted', name: 'noop' },
    };
    for (const environment of [0, 1]) batch.reset(environment, compiled(world, { partners }), keyFrom(environment));
    const seen = new Set<number>();
    for (let step = 0; step < 20; step += 1) {
      void batch.step(Int32Array.of(1, 1, 1, 1, 1, 1));
      expect([batch.actions[0], batch.actions[2], batch.actions[3], batch.actions[5]]).toEqual([3, 0, 3, 0]);
      seen.add(batch.actions[1]!);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
    expect([...batch.external]).toEqual([0, 0, 0, 0, 0, 0]);
    batch.close?.();
  });

  it('noise and sticky actions are a function of the key', () => {
    const world = openWorld('gymnasium', { environment: 'CartPole-v1', episode_steps: 30 });
    const plain = { key: keyFrom(1), parameters: compiled(world) };
    const noisy = { ...plain, parameters: compiled(world, { perturbations: { observation_noise: 0.5 } }) };
    const sticky = { ...plain, parameters: compiled(world, { perturbations: { sticky_actions: 0.9 } }) };
    const [first, second, third] = play(world, [plain, noisy, sticky]);
    expect(second!.map(({ rewards }) => rewards)).toEqual(first!.map(({ rewards }) => rewards));
    expect(second![0]!.seen).not.toEqual(first![0]!.seen);
    expect(third).not.toEqual(first);
    expect(play(world, [sticky, noisy])).toEqual([third, second]);
  });
});

describe('an environment that cannot be used is refused by name', () => {
  const refusals = (name: Name, options: Record<string, unknown>, own = bridge) => {
    const parsed = createBridgedFamily(name, own).optionsSchema.safeParse(options);
    return (parsed.error?.issues ?? []).map((issue) => ({
      path: issue.path.join('.'),
      text: [issue.code === 'custom' ? issue.params?.['found'] : '', issue.message].join('; expected '),
      remedy: issue.code === 'custom' ? (issue.params?.['remedy'] as string) : '',
    }));
  };

  it.each([
    [
      'pettingzoo',
      { environment: 'nowhere.world_v0' },
      'environment',
      /lacks the package nowhere/,
      /-m pip install nowhere/,
    ],
    ['pettingzoo', { environment: 'mpe2.simple_tagg_v3' }, 'environment', /mpe2 does not have/, /Correct the name/],
    ['pettingzoo', { environment: 'mpe2' }, 'environment', /neither parallel_env nor env/, /Name the module/],
    ['gymnasium', { environment: 'CartPole-v9' }, 'environment', /CartPole-v9/, /Write CartPole-v1/],
    ['gymnasium', { environment: 'nowhere:World-v0' }, 'environment', /lacks the package nowhere/, /install nowhere/],
    ['gymnasium', { environment: 'dm_control/acrobot-swingup-v0' }, 'environment', /dm_control/, /shimmy:dm_control/],
    ['gymnasium', { environment: 'bridge_worlds:Painted', episode_steps: 5 }, 'environment', /images/, /features/],
    ['gymnasium', { environment: 'bridge_worlds:Nested', episode_steps: 5 }, 'wrappers', /Dict/, /"flatten"/],
    ['gymnasium', { environment: 'bridge_worlds:Line' }, 'episode_steps', /how long/, /episode_steps/],
    [
      'gymnasium',
      { environment: 'bridge_worlds:Forgetful', episode_steps: 5 },
      'environment',
      /repeat itself/,
      /np_random/,
    ],
    [
      'gymnasium',
      { environment: 'bridge_worlds:Line', arguments: { colour: 1 } },
      'environment',
      /^bridge_worlds:Line, which failed when it was tried: TypeError: .*colour.* \(.*named\.py, line \d+\); /,
      /arguments/,
    ],
    [
      'gymnasium',
      { environment: 'CartPole-v1', rules: { weight: { attribute: 'weight', low: 0, high: 1 } } },
      'rules.weight',
      /no attribute 'weight'/,
      /unwrapped/,
    ],
    [
      'gymnasium',
      { environment: 'CartPole-v1', rules: { gravity: { attribute: 'gravity', low: 0, high: 1 } } },
      'rules.gravity',
      /default 9\.8/,
      /widen/,
    ],
    [
      'gymnasium',
      { environment: 'CartPole-v1', rules: { gravity: { attribute: 'gravity' } } },
      'rules.gravity',
      /no range/,
      /may be/,
    ],
  ] as const)('%s %o', (name, options, place, text, remedy) => {
    expect(refusals(name, options)).toEqual([
      { path: place, text: expect.stringMatching(text), remedy: expect.stringMatching(remedy) },
    ]);
  });

  it('as is a Python without numpy', () => {
    const bare = path.join(folder, 'bare');
    execFileSync(python, ['-m', 'venv', '--without-pip', bare]);
    const own = newBridge(path.join(bare, 'bin/python'));
    expect(refusals('gymnasium', { environment: 'CartPole-v1', episode_steps: 7 }, own)).toEqual([
      {
        path: 'environment',
        text: expect.stringContaining('without numpy'),
        remedy: expect.stringMatching(/bare.*-m pip install numpy/),
      },
    ]);
  });

  it('as is a Python that is not there', () => {
    const none = newBridge('/nowhere/python3');
    expect(refusals('gymnasium', { environment: 'CartPole-v1', episode_steps: 7 }, none)).toEqual([
      {
        path: 'environment',
        text: expect.stringContaining('/nowhere/python3'),
        remedy: expect.stringContaining('THAW_PYTHON'),
      },
    ]);
  });

  it('in a spec the place is the key that was written', () => {
    const families = { ...DEFAULT_REGISTRIES.families, pettingzoo: createBridgedFamily('pettingzoo', bridge) };
    const spec = {
      name: 'x',
      family: 'pettingzoo',
      environment: 'nowhere.world_v0',
      panels: { train: ['base'] },
      variants: { a: { strategy: { kind: 'frozen', simulator: 'base' } } },
      budget: { env_steps: 100 },
    };
    const resolve = (document: unknown) =>
      resolveExperiment(document, { fileName: 'x.json', registries: { ...DEFAULT_REGISTRIES, families } });
    expect(resolve(spec)).toMatchObject({
      ok: false,
      problems: [{ path: 'environment', found: expect.stringContaining('nowhere') }],
    });
    expect(resolve({ ...spec, family: 'simple_tag' })).toMatchObject({
      ok: false,
      problems: [{ path: 'environment' }],
    });
    const undeclared = { some: { rules: { num_obstacles: 1 } } };
    expect(resolve({ ...spec, environment: 'mpe2.simple_tag_v3', simulators: undeclared })).toMatchObject({
      ok: false,
      problems: [
        { path: 'simulators.some.rules.num_obstacles', remedy: expect.stringContaining('family_options.rules') },
      ],
    });
    expect(resolve({ ...spec, environment: 'mpe2.simple_tag_v3' })).toMatchObject({
      ok: true,
      experiment: { variants: { a: { family_options: { environment: 'mpe2.simple_tag_v3', episode_steps: 25 } } } },
    });
  });
});

describe('an environment that fails is a failure with its last words', () => {
  /** Plays on until something happens. */
  function playBroken(tongue: string): unknown {
    const own = newBridge();
    const options = { environment: 'bridge_worlds:Broken', episode_steps: 9, arguments: { on: 123, tongue } };
    const world = openOver(own, 'gymnasium', options);
    const batch = world.createBatch(2);
    try {
      batch.reset(0, compiled(world), keyFrom(1));
      batch.reset(1, compiled(world, { scenarios: { start: { seed: 123 } } }), keyFrom(2));
      for (let step = 0; step < 5; step += 1) void batch.step(Int32Array.of(1, 1));
      return null;
    } catch (error) {
      return error;
    } finally {
      own.end();
    }
  }

  it.each([
    ['raise', 'WORLD_ENVIRONMENT_FAILED', /ArithmeticError: the third step is too much[\s\S]*bridge_worlds\.py/],
    ['exit', 'WORLD_ENVIRONMENT_FAILED', /exit code 7[\s\S]*I am leaving/],
    ['segfault', 'WORLD_ENVIRONMENT_FAILED', /SIGSEGV[\s\S]*bridge_worlds\.py/],
    ['hang', 'WORLD_ENVIRONMENT_STALLED', /too long[\s\S]*bridge_worlds\.py", line \d+ in step/],
    ['shape', 'WORLD_ENVIRONMENT_FAILED', /agent observes \(5,\), where its space says \(2,\)/],
    ['nan', 'WORLD_ENVIRONMENT_FAILED', /environment 1 has the reward .* observes \[nan/],
    ['memory', 'WORLD_ENVIRONMENT_FAILED', /^MemoryError: no room/],
  ])('%s', (tongue, code, words) => {
    expect(playBroken(tongue)).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  it('kill -9 is a loss, and the next batch has a process again', () => {
    const own = newBridge();
    const world = openOver(own, 'gymnasium', { environment: 'CartPole-v1', episode_steps: 30 });
    const batch = world.createBatch(1);
    batch.reset(0, compiled(world), keyFrom(1));
    void batch.step(Int32Array.of(1));
    process.kill(own.processId!, 'SIGKILL');
    expect(() => batch.step(Int32Array.of(1))).toThrow(/ended by SIGKILL/);
    expect(() => batch.step(Int32Array.of(1))).toThrow(/ended by SIGKILL/);
    batch.close?.();
    const next = world.createBatch(1);
    next.reset(0, compiled(world), keyFrom(1));
    void next.step(Int32Array.of(1));
    expect(next.rewards[0]).toBe(1);
    own.end();
  });
});
