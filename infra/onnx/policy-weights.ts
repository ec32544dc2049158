import type { NamedWeights } from '../../learning/transfer/named-weights.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { StoredArray } from './exported-model.ts';
import { readModel } from './read-model.ts';

/**
 * The weights inside a policy that a run exported, by their names.
 * @param name what errors call it
 * @throws REQUEST_CONFLICT when it does not say what its weights are called
 */
export function policyWeights(bytes: Uint8Array, name: string): NamedWeights {
  const { metadata, initializers } = readModel(bytes, name);
  const text = metadata.get('layout');
  if (text === undefined) throw nameless(name, 'no metadata "layout"');
  const layout: Record<string, { offset: number; shape: readonly number[] }> = {};
  const arrays: Float32Array[] = [];
  let offset = 0;
  for (const [array, stored] of Object.entries(JSON.parse(text) as Record<string, StoredArray>)) {
    const values = 'values' in stored ? Float32Array.from(stored.values) : initializers.get(stored.initializer);
    if (values === undefined) throw nameless(name, `no initializer for ${array}`);
    layout[array] = { offset, shape: stored.shape };
    arrays.push(values);
    offset += values.length;
  }
  const values = new Float32Array(offset);
  Object.values(layout).forEach((slot, index) => values.set(arrays[index]!, slot.offset));
  return { layout, values };
}

function nameless(name: string, what: string): ThawError {
  return new ThawError('REQUEST_CONFLICT', `${name} does not tell its weights by name: it has ${what}`, {
    remedy: 'Weights can be taken from policies that this version of Thaw exported.',
  });
}
