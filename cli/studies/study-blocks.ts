import { ThawError } from '../../schemas/errors.ts';
import { adaptingTable } from './adapting-table.ts';
import { cellTable, costTable } from './cell-table.ts';
import { courseTable } from './course-table.ts';
import { curveTable } from './curve-table.ts';
import { partSummary } from './part-summary.ts';
import { sensitivityTable } from './sensitivity-table.ts';
import { signsTable } from './signs-table.ts';
import type { StudyPart } from './study.ts';
import { tailDifferences } from './tail-differences.ts';
import { tailTable } from './tail-table.ts';
import { variantTable } from './variant-table.ts';

export const NOT_RUN = 'Not run yet.';

const BLOCKS: Readonly<Record<string, (part: StudyPart) => string | null>> = {
  command: commandText,
  summary: partSummary,
  table: ({ rows, baseline }) => (rows === null ? null : variantTable(rows, baseline)),
  figure: (part) => figureLink(part, 'returns', part.rows),
  cells: ({ rows }) => (rows === null ? null : cellTable(rows)),
  costs: ({ rows }) => (rows === null ? null : costTable(rows)),
  adapting: ({ rows }) => (rows === null ? null : adaptingTable(rows)),
  tails: ({ rows, simulatorReturns }) => (rows === null ? null : tailTable(rows, simulatorReturns ?? [])),
  'tail-differences': ({ rows, simulatorReturns, baseline, against }) =>
    rows === null ? null : tailDifferences(rows, simulatorReturns ?? [], [baseline, ...against]),
  curve: ({ curvePoints, rows }) => (curvePoints === null ? null : curveTable(curvePoints, rows ?? [])),
  signs: ({ rows, curvePoints, sensitivities }) =>
    rows === null ? null : signsTable(rows, curvePoints ?? [], sensitivities ?? []),
  course: ({ curvePoints }) => (curvePoints === null ? null : courseTable(curvePoints)),
  sensitivity: ({ sensitivities }) => (sensitivities === null ? null : sensitivityTable(sensitivities)),
  'curve-figure': (part) => figureLink(part, 'curve', part.curvePoints),
};

/** What stands in a block of a page. @param block what and of which part: `table collapse-spread` */
export function blockOf(block: string, parts: readonly StudyPart[]): string {
  const [kind, experiment] = block.split(' ');
  const part = parts.find((each) => each.experiment === experiment);
  const write = BLOCKS[kind!];
  if (part === undefined || write === undefined) throw unknownBlock(block);
  return write(part) ?? NOT_RUN;
}

export function unknownBlock(block: string): ThawError {
  return new ThawError('DEFECT_INVARIANT', `a page of a study asks for the block "${block}", which nothing writes`);
}

function commandText({ experiment, curve, sensitivity, simulators }: StudyPart): string {
  const data = `docs/studies/data/${experiment}`;
  const lines = [
    `npx thaw run experiments/${experiment}.json`,
    `npx thaw results ${experiment} -o json --metric heldout_return > ${data}.json`,
    ...(curve ? [`npx thaw results ${experiment} --curve -o json > ${data}.curve.json`] : []),
    ...(sensitivity ? [`npx thaw results ${experiment} --sensitivity -o json > ${data}.sensitivity.json`] : []),
    ...(simulators
      ? [`npx thaw results ${experiment} --per simulator --panel test -o csv > ${data}.simulators.csv`]
      : []),
    'npm run generate',
  ];
  return ['```console', ...lines.map((line) => `$ ${line}`), '```'].join('\n');
}

/** Where the picture is, from the page. */
export function figurePath({ experiment }: StudyPart, kind: 'returns' | 'curve'): string {
  return `figures/${experiment}${kind === 'curve' ? '.curve' : ''}.svg`;
}

function figureLink(part: StudyPart, kind: 'returns' | 'curve', data: unknown): string | null {
  return data === null ? null : `![${part.title}](${figurePath(part, kind)})`;
}
