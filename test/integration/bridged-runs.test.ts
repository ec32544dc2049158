import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { descendantsOf } from '../../cli/bench/process-table.ts';
import { benchSpec } from '../../cli/bench/spec.ts';
import { trainingChildren } from '../../cli/bench/victims.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
import { createPythonBridge, type PythonBridge } from '../../infra/environments/python-bridge.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { createBridgedFamily } from '../../simulators/bridged/family.ts';
import { addFamilies } from '../../specification/registries.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

// Whole runs in environments of Python, carried out by a worker as users start it.

const before = process.env['THAW_PYTHON'];
let bridge: PythonBridge;

beforeAll(async () => {
  const { interpreter } = await pythonEnvironment();
  process.env['THAW_PYTHON'] = interpreter;
  bridge = createPythonBridge(() => ({ python: interpreter, patienceS: 60, cache: '/nowhere' }));
  addFamilies([createBridgedFamily('pettingzoo', bridge), createBridgedFamily('gymnasium', bridge)]);
}, 300_000);

afterAll(() => {
  bridge.end();
  if (before === undefined) delete process.env['THAW_PYTHON'];
  else process.env['THAW_PYTHON'] = before;
});

/** Small enough for the gate. */
const SETTINGS = {
  'bridged/cartpole': [
    'seeds=[0]',
    'budget={"env_steps":19200,"rounds":6}',
    'evaluation.final_episodes=10',
    'evaluation.episodes=10',
    'evaluation.behaviour_groups=2',
    'evaluation.reference_episodes=20',
  ],
  'bridged/tag': [
    'seeds=[0]',
    'variants={"frozen":{"strategy":{"kind":"frozen","simulator":"stays"}}}',
    'budget={"env_steps":1600,"rounds":2}',
    'algorithm.parallel_environments=32',
    'evaluation={"every_rounds":2,"episodes":2,"final_episodes":2,"behaviour_groups":2,"reference_episodes":20}',
  ],
};

interface Ended {
  readonly states: readonly string[];
  readonly digest: string;
  /** Class and message of the attempts that failed. */
  readonly failures: readonly string[];
}

const pythonsOf = (session: ServiceSession): number[] =>
  trainingChildren(session.configuration)
    .flatMap(descendantsOf)
    .filter((pid) => commandOf(pid).includes('python/thaw_environments'));

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Runs an experiment to its end, and kills Python processes in the middle of rounds, until as many attempts failed as
 * are asked for. The next is killed when an attempt failed by the one before: two processes may belong to one attempt.
 */
async function run(name: keyof typeof SETTINGS, failuresAsked: number, more: readonly string[] = []): Promise<Ended> {
  return inPrivateHome(async (session) => {
    const [submission] = await submitSpecs(session, [await benchSpec(name, [...SETTINGS[name], ...more])]);
    const { id } = submission!.experiment;
    let roundsAtKill = 0;
    let runs = await listRuns(session.database, id);
    while (!runs.every(({ state }) => isFinalState(state))) {
      const rounds = runs.reduce((sum, { roundsCompleted }) => sum + roundsCompleted, 0);
      const isInRound = runs.some(({ progressEnvSteps, envSteps }) => (progressEnvSteps ?? 0) > envSteps);
      if (isInRound && rounds > roundsAtKill && (await failuresIn(session)).length < failuresAsked) {
        const [python] = pythonsOf(session);
        if (python !== undefined) {
          process.kill(python, 'SIGKILL');
          roundsAtKill = rounds;
        }
      }
      await delay(20);
      runs = await listRuns(session.database, id);
    }
    return {
      states: runs.map(({ state }) => state),
      digest: await deterministicDigest(session.database, id),
      failures: await failuresIn(session),
    };
  });
}

async function failuresIn(session: ServiceSession): Promise<string[]> {
  const failed = await session.database.query(
    `select outcome || ': ' || message as text from attempts where outcome <> 'done' order by run_id, number`,
  );
  return failed.rows.map(({ text }) => String(text));
}

it('an environment of Gymnasium ends with the same rows though its Python process is killed, and played by more threads', async () => {
  const undisturbed = await run('bridged/cartpole', 0);
  expect(undisturbed.failures).toEqual([]);
  expect(undisturbed.states).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const disturbed = await run('bridged/cartpole', 2, ['execution.sampler_processes=2']);
  expect(disturbed.failures).toHaveLength(2);
  for (const failure of disturbed.failures) expect(failure).toMatch(/^lost: .*ended by SIGKILL/);
  expect(disturbed.states).toEqual(undisturbed.states);
  expect(disturbed.digest).toBe(undisturbed.digest);
}, 300_000);

it('simple_tag of MPE2 ends in the table', async () => {
  const { states, failures } = await run('bridged/tag', 0);
  expect({ states, failures }).toEqual({ states: ['SUCCEEDED'], failures: [] });
}, 300_000);
