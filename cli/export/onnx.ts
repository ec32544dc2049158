import { createHash } from 'node:crypto';
import path from 'node:path';
import { writeWhole } from '../../infra/artifacts/write-whole.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listPolicyRuns, type PolicyRun } from '../../infra/postgres/policy-rows.ts';
import type { World } from '../../simulators/contract.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { fileNameFrom, folderNameFrom } from '../files/file-name.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { createBestPolicies, type MakeBestPolicies } from './best-policies.ts';
import type { ExportFormat, ExportSource, WrittenFile } from './export-format.ts';
import { ONNX_EXAMPLE } from './onnx-example.ts';
import { onnxReadme } from './onnx-readme.ts';
import { describePolicy, type ExportedPolicy } from './policy-description.ts';

const FOLDER = 'onnx';

/**
 * The policies of every finished run, of its last checkpoint and of the one that was best on validation, with a README that
 * says what goes in and comes out, `policies.json` for programs, and an example of their use in Python.
 */
export const writeOnnx: ExportFormat = async (source) => {
  const policies: ExportedPolicy[] = [];
  const written: WrittenFile[] = [];
  for (const experiment of source.experiments) {
    for (const policy of await writeExperiment(source, experiment)) {
      policies.push(policy);
      written.push({ file: path.posix.join(FOLDER, policy.file), rows: 1, bytes: policy.bytes });
    }
  }
  if (policies.length === 0) source.onNote('onnx: no run has succeeded yet, so there are no policies.');
  const texts = {
    'policies.json': `${jsonText(policies, 2)}\n`,
    'README.md': onnxReadme(policies),
    'example.py': ONNX_EXAMPLE,
  };
  for (const [name, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    await writeWhole(path.join(source.folder, FOLDER, name), bytes);
    written.push({ file: `${FOLDER}/${name}`, rows: null, bytes: bytes.length });
  }
  return written;
};

async function writeExperiment(source: ExportSource, experiment: ExperimentRecord): Promise<ExportedPolicy[]> {
  const makeBest = createBestPolicies(source.snapshot, source.artifacts);
  const policies: ExportedPolicy[] = [];
  for (const run of await listPolicyRuns(source.snapshot, experiment.id)) {
    source.onProgress(`onnx: ${experiment.id}/${run.variant}/${run.seed}`);
    const world = openWorld(experiment.resolved.variants[run.variant]!, DEFAULT_REGISTRIES);
    for (const { checkpoint, round, models } of await modelsOf(source, run, makeBest)) {
      for (const [group, model] of models) {
        policies.push(await writePolicy(source, { experiment, run, world, checkpoint, round, group, model }));
      }
    }
  }
  return policies;
}

interface Models {
  readonly checkpoint: 'last' | 'best';
  readonly round: number;
  readonly models: ReadonlyMap<string, Uint8Array>;
}

async function modelsOf(source: ExportSource, run: PolicyRun, makeBest: MakeBestPolicies): Promise<Models[]> {
  const last = new Map<string, Uint8Array>();
  for (const [group, hash] of Object.entries(run.lastPolicies)) last.set(group, await source.artifacts.read(hash));
  const found: Models[] = [{ checkpoint: 'last', round: run.lastRound, models: last }];
  if (run.bestRound === null) return found;
  const best = run.bestRound === run.lastRound ? last : await makeBest(run);
  if (typeof best === 'string') {
    source.onNote(`onnx: the best policy of ${run.sourceId} (round ${run.bestRound}) is left out: ${best}.`);
    return found;
  }
  return [...found, { checkpoint: 'best', round: run.bestRound, models: best }];
}

async function writePolicy(
  { folder }: ExportSource,
  policy: {
    experiment: ExperimentRecord;
    run: PolicyRun;
    world: World;
    checkpoint: 'last' | 'best';
    round: number;
    group: string;
    model: Uint8Array;
  },
): Promise<ExportedPolicy> {
  const { experiment, run, world, checkpoint, round, group, model } = policy;
  const name = fileNameFrom({
    name: run.variant,
    numbers: [run.seed, Number(group)],
    ending: `${checkpoint}.onnx`,
  });
  const file = path.posix.join(folderNameFrom(experiment.id), name);
  await writeWhole(path.join(folder, FOLDER, file), model);
  const described = await describePolicy(world, Number(group), model);
  return {
    file,
    bytes: model.length,
    sha256: createHash('sha256').update(model).digest('hex'),
    experiment: experiment.id,
    variant: run.variant,
    seed: run.seed,
    checkpoint,
    round,
    ...described,
  };
}
