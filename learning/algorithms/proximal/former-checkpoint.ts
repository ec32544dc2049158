import type { CheckpointArray } from '../../checkpoint.ts';

type Arrays = Readonly<Record<string, CheckpointArray | undefined>>;

/** Names of a group's arrays as they are now. Former versions kept the optimizer's steps and the moments of values in one. */
export function withPresentNames(arrays: Arrays): Arrays {
  const { scalars, ...others } = arrays;
  if (scalars === undefined) return arrays;
  return { ...others, stepCount: scalars.subarray(0, 1), values: scalars.subarray(1) };
}
