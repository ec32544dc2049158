import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalizePackage from 'canonicalize';
import { ThawError } from '../schemas/errors.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { withoutLaterDefaults, withoutLaterMeasuring, withoutLaterOptions } from './later-keys.ts';

// The package is CommonJS whose export is the function itself, while its types describe an ES module.
const canonicalize = canonicalizePackage as unknown as (value: unknown) => string | undefined;

/**
 * SHA-256, in hexadecimal, of the canonical text of plain data: equal data have equal hashes whatever the order of keys.
 * @throws DEFECT_INVARIANT when the value has no JSON text
 * @source RFC 8785, JSON Canonicalization Scheme
 */
export function contentHash(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new ThawError('DEFECT_INVARIANT', 'only plain data can be hashed');
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Identity of a simulator: what it is, in which version of which world. Its name is no part of it. */
export function simulatorHash(world: World, simulator: SimulatorData): string {
  const { family, version } = world;
  return contentHash({ family, version, options: withoutLaterOptions(family, world.options), simulator });
}

/** Identity of a variant without its name and its siblings; with a seed it is the identity of a run. */
export function variantHash(variant: ResolvedVariant): string {
  return contentHash(measuredPart(variant));
}

/** Identity of what an experiment can measure: its variants by name. */
export function resultHash(variants: Readonly<Record<string, ResolvedVariant>>): string {
  return contentHash(Object.fromEntries(Object.entries(variants).map(([name, each]) => [name, measuredPart(each)])));
}

/** What can change a result. `diversity` cannot: it judges the panels before anything runs. */
function measuredPart({ diversity: _judged, ...measured }: ResolvedVariant): Omit<ResolvedVariant, 'diversity'> {
  const { algorithm, spec_version: version, family, family_options: options } = measured;
  return {
    ...measured,
    family_options: withoutLaterOptions(family, options),
    evaluation: withoutLaterMeasuring(measured.evaluation),
    algorithm: withoutLaterDefaults(algorithm, version),
  };
}
