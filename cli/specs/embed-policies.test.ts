import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { executorOn } from '../../infra/executors.ts';
import { exportedModel } from '../../infra/onnx/exported-model.ts';
import { ippo } from '../../learning/algorithms/ippo.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { embedPolicies, misfitPolicies } from './embed-policies.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-embed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZES = { hidden_sizes: [8, 4] };
const base = { ...specDocument(), algorithm: { ...specDocument().algorithm, ...SIZES } };
const variant = resolved(base).variants.pool!;
const [role] = openWorld(variant, DEFAULT_REGISTRIES).groups.map((group) => group.role);

/** Of networks as the spec makes them. */
async function writePolicy(): Promise<string> {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const parameters = ippo.parametersSchema(world).parse({ name: ippo.name, ...SIZES });
  const executor = await executorOn('cpu');
  const setup = { world, learners: variant.learners, parameters, executor, updateCount: 1, seed: 1, memberIndex: 0 };
  const learner = await ippo.createLearner(setup);
  const bytes = exportedModel(learner.policyGraph(0), {});
  await learner.release();
  writeFileSync(path.join(folder, 'policy.onnx'), bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

const transferring = (transfer: object, algorithm: object = {}) => ({
  ...base,
  algorithm: { ...base.algorithm, ...algorithm, transfer },
});

async function problemsOf(document: object) {
  const embedded = await embedPolicies(document, folder);
  expect(embedded.problems).toEqual([]);
  return misfitPolicies(resolved(embedded.document), embedded.policies);
}

describe('a policy that networks start from', () => {
  it('is named by the hash of its content, wherever its file lies', async () => {
    const artifact = await writePolicy();
    const { document, policies } = await embedPolicies(
      {
        ...transferring({ policies: { [role!]: { file: 'policy.onnx' } } }),
        variants: { other: { algorithm: { transfer: { policies: { [role!]: { file: './policy.onnx' } } } } } },
      },
      folder,
    );
    const embedded = { policies: { [role!]: { artifact } } };
    expect(document).toMatchObject({
      algorithm: { transfer: embedded },
      variants: { other: { algorithm: { transfer: embedded } } },
    });
    expect([...policies.keys()]).toEqual([artifact]);
  });

  it('that cannot be read is told with its place', async () => {
    const { problems } = await embedPolicies(transferring({ policies: { [role!]: { file: 'missing.onnx' } } }), folder);
    expect(problems).toMatchObject([
      { code: 'REQUEST_FILE_UNREADABLE', path: `algorithm.transfer.policies.${role}.file` },
    ]);
  });

  it('is tried on the networks before anything starts', async () => {
    await writePolicy();
    const policies = { [role!]: { file: 'policy.onnx' } };
    expect(await problemsOf(transferring({ policies, freeze: ['actor.0'] }))).toEqual([]);
    const wider = await problemsOf(transferring({ policies }, { hidden_sizes: [16] }));
    expect(wider).toMatchObject([{ code: 'REQUEST_INVALID_SPEC', path: 'algorithm.transfer' }]);
    expect(wider[0]!.found).toMatch(/actor\.0\.weight \[\d+ 8\].*actor\.0\.weight \[\d+ 16\]/);
    const unknown = await problemsOf(transferring({ policies, freeze: ['actor.9'] }));
    expect(unknown[0]).toMatchObject({
      found: expect.stringContaining('no layer of the network is called actor.9') as string,
    });
  });
});
