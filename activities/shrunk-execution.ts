import { availableParallelism } from 'node:os';
import type { AttemptSettings, Shrink } from '../infra/postgres/attempt-rows.ts';
import type { RunContext } from '../schemas/records.ts';
import { openWorld } from '../specification/open-world.ts';
import type { Registries } from '../specification/registries.ts';
import { samplersOf } from '../specification/run-needs.ts';

type Shrinkable = Pick<RunContext, 'resolved' | 'execution' | 'shrinks'>;

/**
 * How a run is carried out after it has been made smaller so many times: half the samplers while there are several, then
 * half the rows of a minibatch at once, never less than a grain, whose gradient is formed as a whole. No result depends
 * on it.
 */
export function shrunkExecution({ resolved, execution, shrinks }: Shrinkable, registries: Registries): AttemptSettings {
  const algorithm = registries.algorithms[resolved.algorithm.name]!;
  const rows = algorithm.gradientRows(resolved.algorithm, openWorld(resolved, registries));
  const machine = { processors: availableParallelism(), runsAtOnce: execution.max_concurrent_runs };
  let samplerProcesses = samplersOf(resolved, execution.sampler_processes, machine).count;
  let { chunkRows } = rows;
  for (let shrink = 0; shrink < shrinks; shrink += 1) {
    if (samplerProcesses > 1) samplerProcesses = Math.ceil(samplerProcesses / 2);
    else chunkRows = halfOf(chunkRows, rows.grainRows);
  }
  return { memoryLimitMib: execution.memory_mib, samplerProcesses, chunkRows };
}

/** What a run that has just lacked memory does otherwise; null when nothing is left that could be made smaller. */
export function nextShrink(run: Shrinkable, registries: Registries): Shrink | null {
  const before = shrunkExecution(run, registries);
  const shrinks = run.shrinks + 1;
  const after = shrunkExecution({ ...run, shrinks }, registries);
  if (after.samplerProcesses < before.samplerProcesses) {
    return { shrinks, change: `sampler_processes ${before.samplerProcesses} → ${after.samplerProcesses}` };
  }
  if (after.chunkRows < before.chunkRows) {
    return { shrinks, change: `rows of a minibatch at once ${before.chunkRows} → ${after.chunkRows}` };
  }
  return null;
}

/** Half of the grains of a chunk, rounded up, in rows. */
function halfOf(chunkRows: number, grainRows: number): number {
  return Math.ceil(Math.ceil(chunkRows / grainRows) / 2) * grainRows;
}
