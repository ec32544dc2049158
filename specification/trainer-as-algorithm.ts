import { COMMAND } from '../learning/trainers/command.ts';
import { describeValue, type Finding } from './finding.ts';
import { isRecord, isWithin, type Path } from './path.ts';

/** A document in which trainers stand in the place of algorithms. */
export interface TrainersRead {
  readonly document: Record<string, unknown>;
  readonly findings: readonly Finding[];
  /** Where what stands at a place of it was written. */
  originOf(path: Path): Path;
}

/**
 * A `trainer` is an algorithm of another name: `trainer.kind` is what tells it from those of ours, as their `name` does.
 * So variants may exchange one for the other, and all that holds for parameters of an algorithm holds for a trainer's.
 */
export function trainersAsAlgorithms(document: Record<string, unknown>): TrainersRead {
  const base = asAlgorithm(document, [], { mayBePartial: false });
  const variants = isRecord(document['variants']) ? document['variants'] : {};
  const overrides = Object.entries(variants).map(([name, override]) => {
    const path = ['variants', name];
    const read = isRecord(override) ? asAlgorithm(override, path, { mayBePartial: isTrained(document) }) : null;
    return { name, override, read };
  });
  const parts = [base, ...overrides.flatMap(({ read }) => read ?? [])];
  const replaced = parts.filter(({ isReplaced }) => isReplaced);
  const changed = Object.fromEntries(overrides.map(({ name, override, read }) => [name, read?.setting ?? override]));
  return {
    document: { ...base.setting, ...(isRecord(document['variants']) && { variants: changed }) },
    findings: parts.flatMap(({ findings }) => findings),
    originOf: (path) => replaced.reduce((place, { path: outer }) => writtenAt(place, outer), path),
  };
}

interface SettingRead {
  /** Of the setting in the document. */
  readonly path: Path;
  readonly setting: Record<string, unknown>;
  readonly isReplaced: boolean;
  readonly findings: readonly Finding[];
}

const isTrained = ({ trainer }: Record<string, unknown>): boolean => isRecord(trainer);

/** @param options.mayBePartial whether the kind may be that of the experiment */
function asAlgorithm(
  setting: Record<string, unknown>,
  path: Path,
  { mayBePartial }: { readonly mayBePartial: boolean },
): SettingRead {
  if (!Object.hasOwn(setting, 'trainer')) return { path, setting, isReplaced: false, findings: [] };
  const { trainer, ...others } = setting;
  if (trainer === null) return { path, setting: { algorithm: null, ...others }, isReplaced: true, findings: [] };
  const findings = flawsOf(trainer, setting['algorithm'], [...path, 'trainer'], mayBePartial);
  if (findings.length > 0 || !isRecord(trainer)) return { path, setting: others, isReplaced: false, findings };
  const { kind, ...parameters } = trainer;
  const algorithm = { ...(kind !== undefined && { name: kind }), ...parameters };
  return { path, setting: { ...others, algorithm }, isReplaced: true, findings };
}

function flawsOf(trainer: unknown, algorithm: unknown, path: Path, mayBePartial: boolean): Finding[] {
  if (!isRecord(trainer)) {
    const remedy = 'Write e.g. { "kind": "command", "command": ["python3", "train.py"] }.';
    return [{ path, found: describeValue(trainer), expected: 'an object', remedy }];
  }
  const flaws: Finding[] = [];
  if (trainer['kind'] !== COMMAND && !(mayBePartial && trainer['kind'] === undefined)) {
    const remedy = `Write "kind": "${COMMAND}".`;
    flaws.push({ path: [...path, 'kind'], found: describeValue(trainer['kind']), expected: `"${COMMAND}"`, remedy });
  }
  if (Object.hasOwn(trainer, 'name')) {
    const remedy = 'Remove the key; what the program should know belongs into "settings".';
    flaws.push({ path: [...path, 'name'], found: 'the unknown key "name"', expected: 'keys of a trainer', remedy });
  }
  if (isRecord(algorithm)) {
    const remedy = 'Remove one of them: either an algorithm of Thaw trains, or a program of yours.';
    flaws.push({ path, found: 'a trainer beside an `algorithm`', expected: 'one of the two', remedy });
  }
  return flaws;
}

/** The place of a trainer's key in the document, by its place in the algorithm. */
function writtenAt(path: Path, outer: Path): Path {
  const inside = [...outer, 'algorithm'];
  if (!isWithin(path, inside)) return path;
  const [key, ...rest] = path.slice(inside.length);
  return [...outer, 'trainer', ...(key === undefined ? [] : [key === 'name' ? 'kind' : key, ...rest])];
}
