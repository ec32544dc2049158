import type { Parameter } from '../simulators/contract.ts';
import { describeValue, type Finding } from './finding.ts';
import { listNames, nearestName } from './nearest.ts';
import type { Path } from './path.ts';

/** Ranges of `randomization` that no simulator of the world can be drawn from. */
export function checkRanges(
  randomization: Readonly<Record<string, readonly [number, number]>>,
  parameters: readonly Parameter[],
): Finding[] {
  const drawable = parameters.filter(({ kind }) => kind !== 'choice');
  return Object.entries(randomization).flatMap(([name, range]) => {
    const path = ['randomization', name];
    const parameter = drawable.find((entry) => entry.path === name);
    return parameter === undefined ? [unknownParameter(path, name, drawable)] : checkRange(path, range, parameter);
  });
}

function unknownParameter(path: Path, name: string, parameters: readonly Parameter[]): Finding {
  const known = parameters.map((parameter) => parameter.path);
  const nearest = nearestName(name, known);
  return {
    path,
    found: `the unknown parameter ${JSON.stringify(name)}`,
    expected: `a number of a simulator: ${listNames(known, 12)}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: nearest === undefined ? 'Remove the range.' : `Write "${nearest}", if that is what was meant.`,
  };
}

function checkRange(path: Path, [low, high]: readonly [number, number], parameter: Parameter): Finding[] {
  const limits = `[low, high] with ${parameter.low} ≤ low ≤ high ≤ ${parameter.high} (unit ${parameter.unit})`;
  const found = describeValue([low, high]);
  if (low > high) return [{ path, found, expected: limits, remedy: 'Write the smaller number first.' }];
  if (low < parameter.low || high > parameter.high) {
    return [{ path, found, expected: limits, remedy: 'Stay within what the parameter may be.' }];
  }
  if (parameter.kind === 'integer' && Math.ceil(low) > Math.floor(high)) {
    const expected = `${limits}, and a whole number between them`;
    return [{ path, found, expected, remedy: 'Widen the range to hold a whole number.' }];
  }
  return [];
}
