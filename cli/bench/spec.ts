import path from 'node:path';
import { installationRoot } from '../../infra/installation.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { readSpecFiles, type ValidSpec } from '../specs/spec-files.ts';

/** An experiment of `experiments/`. @param overrides as after `--set` */
export async function benchSpec(name: string, overrides: readonly string[] = []): Promise<ValidSpec> {
  const file = path.join(installationRoot(), 'experiments', `${name}.json`);
  const [spec] = await readSpecFiles([file], overrides);
  if (spec?.ok !== true) throw new ThawError('DEFECT_INVARIANT', `${file} is not a valid experiment`);
  return spec;
}

/** The first variant of an experiment: the benchmarks of learning have one only. */
export function firstVariant({ experiment }: ValidSpec): ResolvedVariant {
  return Object.values(experiment.variants)[0]!;
}
