import { describeValue, type Finding } from './finding.ts';
import { type Path, valueAt } from './path.ts';
import { PLANNED_VALUES } from './planned.ts';

/** A request for what this version lacks, and the part of the document that nothing else need look at. */
export interface PlannedFinding {
  readonly finding: Finding;
  readonly dropped: Path;
}

const CODE = 'REQUEST_NOT_AVAILABLE';

/** What a setting, or the head of a spec, asks for and this version does not have. */
export function plannedFindings(document: unknown): PlannedFinding[] {
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
