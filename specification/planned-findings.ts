import { describeValue, type Finding } from './finding.ts';
import { listNames } from './nearest.ts';
import { hasValue, type Path, valueAt } from './path.ts';
import { PLANNED_KEYS, PLANNED_STRATEGIES, PLANNED_VALUES } from './planned.ts';
import type { Registries } from './registries.ts';

/** A request for what this version lacks, and the part of the document that nothing else need look at. */
export interface PlannedFinding {
  readonly finding: Finding;
  readonly dropped: Path;
}

const CODE = 'REQUEST_NOT_AVAILABLE';

/** What a setting, or the head of a spec, asks for and this version does not have. */
export function plannedFindings(document: unknown, registries: Registries): PlannedFinding[] {
  return [...plannedKeys(document), ...plannedValues(document), ...plannedStrategy(document, registries)];
}

function plannedKeys(document: unknown): PlannedFinding[] {
  return Object.entries(PLANNED_KEYS)
    .map(([text, remedy]) => ({ path: text.split('.'), remedy }))
    .filter(({ path }) => hasValue(document, path))
    .map(({ path, remedy }) => ({
      finding: {
        code: CODE,
        path,
        found: `the key "${path.at(-1)}", which this version does not have`,
        expected: 'nothing',
        remedy,
      },
      dropped: path,
    }));
}

function plannedValues(document: unknown): PlannedFinding[] {
  return Object.entries(PLANNED_VALUES)
    .map(([text, entry]) => ({ path: text.split('.'), ...entry }))
    .filter(({ path, isPlanned }) => isPlanned(valueAt(document, path)))
    .map(({ path, available, remedy }) => ({
      finding: {
        code: CODE,
        path,
        found: `${describeValue(valueAt(document, path))}, which this version does not have`,
        expected: available,
        remedy,
      },
      dropped: path,
    }));
}

function plannedStrategy(document: unknown, { strategies }: Registries): PlannedFinding[] {
  const path = ['strategy', 'kind'];
  const kind = valueAt(document, path);
  if (typeof kind !== 'string' || Object.hasOwn(strategies, kind) || !PLANNED_STRATEGIES.includes(kind)) return [];
  const there = Object.keys(strategies);
  return [{ finding: notAvailable(path, `the strategy "${kind}"`, there), dropped: ['strategy'] }];
}

/** @param thing what was asked for, in words @param alternatives names of what there is */
export function notAvailable(path: Path, thing: string, alternatives: readonly string[]): Finding {
  return {
    code: CODE,
    path,
    found: `${thing}, which this version does not have`,
    expected: `one of ${listNames(alternatives)}`,
    remedy: `Use ${alternatives.join(' or ')}.`,
  };
}
