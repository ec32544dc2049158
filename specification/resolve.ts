import type { Problem } from '../schemas/problem.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { applyOverrides } from './apply-overrides.ts';
import { closenessFinding, closeSimulators } from './check-distances.ts';
import { checkSamplers } from './check-samplers.ts';
import { environmentAsOption } from './environment-as-option.ts';
import { describeValue, problemFrom, type Finding } from './finding.ts';
import { resolveExecution } from './execution.ts';
import { FAMILIES_ELSEWHERE } from './families-elsewhere.ts';
import { resultHash, variantHash } from './identity.ts';
import { nearestName } from './nearest.ts';
import { openWorld } from './open-world.ts';
import { isRecord, type Path } from './path.ts';
import { placeInVariants } from './place-findings.ts';
import { type HeadRead, readHead, seedList, SETTING_KEYS } from './read-head.ts';
import type { Registries } from './registries.ts';
import { SettingSchemas } from './setting-schemas.ts';
import { envelopeOnly, resolveVariants, type VariantsRead } from './resolve-variants.ts';
import { trainersAsAlgorithms } from './trainer-as-algorithm.ts';
import { translate } from './translate.ts';

export interface ResolveContext {
  /** The pool form takes its name from it; nothing is read from it. */
  readonly fileName: string;
  /** `--set path=value` arguments, applied to the spec in order; of the two forms, to the spec that they become. */
  readonly overrides?: readonly string[];
  readonly registries: Registries;
  /** Whether held-out simulators may be as near to training ones as they like; for looking at distances. */
  readonly acceptsCloseSimulators?: boolean;
}

export type Resolution =
  | {
      readonly ok: true;
      readonly experiment: ResolvedExperiment;
      /** The spec that it comes from, whatever the form, with what was set: by itself it becomes the same experiment. */
      readonly document: Readonly<Record<string, unknown>>;
      /** What the experiment asks for and this version cannot start; empty when it can be started. */
      readonly unavailable: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * What a spec means: every default written out, every name resolved, every part checked against every other. All that
 * is wrong is found in one pass. Pure.
 * @param document plain JSON, as `parseDocument` reads it
 */
export function resolveExperiment(document: unknown, context: ResolveContext): Resolution {
  const { registries, fileName, overrides = [] } = context;
  const translation = translate(document, fileName, registries);
  if (translation.findings.length > 0) return refuse(translation.findings);
  const overridden = applyOverrides(translation.document, overrides);
  if (!isRecord(overridden.document)) {
    return refuse([...overridden.findings, notAnObject(overridden.document)]);
  }
  const placed = environmentAsOption(overridden.document);
  const trained = trainersAsAlgorithms(placed.document);
  const read = readExperiment(trained.document, registries);
  const originOf = (finding: Finding): Finding => ({
    ...finding,
    path: translation.originOf(placed.originOf(trained.originOf(finding.path))),
  });
  const findings = [...overridden.findings, ...[...trained.findings, ...read.findings].map(originOf)];
  if (findings.length > 0) return refuse(findings);
  const { variants, findings: close } = judgeDistances(read, context);
  if (close.length > 0) return refuse(close.map(originOf));
  return {
    ok: true,
    experiment: assemble({ ...read, variants }, translation.form),
    document: overridden.document,
    unavailable: distinct(read.unavailable.map(originOf)),
  };
}

interface ExperimentRead extends HeadRead, VariantsRead {
  /** The experiment without its head and its variants. */
  readonly base: Record<string, unknown>;
  readonly unavailable: readonly Finding[];
}

function readExperiment(document: Record<string, unknown>, registries: Registries): ExperimentRead {
  const read = readHead(document);
  const base = Object.fromEntries(SETTING_KEYS.flatMap((key) => (key in document ? [[key, document[key]]] : [])));
  const family = familyNamed(read.head.family, registries);
  const head = [...read.findings, ...('finding' in family ? [family.finding].flat() : [])];
  const results =
    'family' in family && family.family !== undefined
      ? resolveVariants(base, read, {
          family: family.family,
          specVersion: read.head.spec_version ?? 1,
          learners: read.head.learners,
          registries,
          settingSchemas: SettingSchemas.of(registries),
        })
      : envelopeOnly(base, read);
  return {
    ...read,
    base,
    findings: [...head, ...results.findings, ...checkSamplers(read.head.execution, results.variants)],
    variants: results.variants,
    specialists: results.specialists,
    unavailable: missingDevice(read.head.execution?.device, registries),
  };
}

/** The last check, of variants that are otherwise valid: it plays episodes. Waivers learn what they are for. */
function judgeDistances(
  { base, overrides, variants, specialists }: ExperimentRead,
  { registries, acceptsCloseSimulators = false }: ResolveContext,
): Pick<ExperimentRead, 'variants' | 'findings'> {
  if (acceptsCloseSimulators) return { variants, findings: [] };
  // Nothing is held out from a specialist.
  const written = Object.entries(variants).filter(([name]) => !Object.hasOwn(specialists, name));
  const judged = written.map(([name, variant]) => ({
    name,
    override: overrides?.[name],
    ...judgeVariant(variant, openWorld(variant, registries)),
  }));
  return {
    variants: { ...variants, ...Object.fromEntries(judged.map(({ name, variant }) => [name, variant])) },
    findings: placeInVariants(base, judged),
  };
}

function judgeVariant(variant: ResolvedVariant, world: World): { variant: ResolvedVariant; findings: Finding[] } {
  const close = closeSimulators(world, variant);
  const { diversity } = variant;
  if (diversity.waiver === undefined) return { variant, findings: close.map(closenessFinding) };
  const waiver = { ...diversity.waiver, pairs: close.flatMap(({ pairs }) => pairs) };
  return { variant: { ...variant, diversity: { ...diversity, waiver } }, findings: [] };
}

function familyNamed(name: string | undefined, { families }: Registries) {
  if (name === undefined) return { family: undefined };
  if (Object.hasOwn(families, name)) return { family: families[name] };
  const known = Object.keys(families);
  const elsewhere = Object.hasOwn(FAMILIES_ELSEWHERE, name) ? FAMILIES_ELSEWHERE[name] : undefined;
  const nearest = elsewhere ?? nearestName(name, known);
  const finding: Finding = {
    path: ['family'],
    found: `the unknown family ${describeValue(name)}`,
    expected: `one of ${known.join(', ')}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: `Write "${nearest ?? known[0]}", if that is what was meant.`,
  };
  return { finding };
}

function missingDevice(device: string | undefined, { devices }: Registries): Finding[] {
  if (device === undefined || devices.includes(device)) return [];
  return [
    {
      code: 'REQUEST_DEVICE_MISSING',
      path: ['execution', 'device'],
      found: `"${device}", and nothing is installed here that computes on it`,
      expected: `one of ${devices.join(', ')}`,
      remedy: `Run with --set execution.device=${devices[0]}, or install what computes on it: node cli/launch.mjs --setup gpu.`,
    },
  ];
}

function assemble(
  { head, variants, specialists }: ExperimentRead,
  form: ResolvedExperiment['source_form'],
): ResolvedExperiment {
  const name = head.name!;
  return {
    name,
    description: head.description!,
    labels: head.labels!,
    source_form: form,
    variants,
    specialists,
    seeds: seedList(head.seeds!),
    execution: resolveExecution(head.execution!),
    output_dir: head.output_dir ?? `results/${name}`,
    result_hash: resultHash(variants),
    variant_hashes: Object.fromEntries(Object.entries(variants).map(([key, variant]) => [key, variantHash(variant)])),
  };
}

function notAnObject(document: unknown): Finding {
  const path: Path = [];
  return {
    path,
    found: describeValue(document),
    expected: 'an object with the keys of a spec',
    remedy: 'Write { … }.',
  };
}

function refuse(findings: readonly Finding[]): Resolution {
  return { ok: false, problems: distinct(findings) };
}

/** Problems of the same text at the same place are one; several variants may come from one key of a form. */
function distinct(findings: readonly Finding[]): Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of findings.map(problemFrom)) {
    const key = JSON.stringify([problem.path, problem.found]);
    if (!byText.has(key)) byText.set(key, problem);
  }
  return [...byText.values()];
}
