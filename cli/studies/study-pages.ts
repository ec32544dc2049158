import { readFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { curveFigure } from './curve-figure.ts';
import { fillBlocks } from './fill-blocks.ts';
import { returnsFigure } from './returns-figure.ts';
import { blockOf, figurePath, NOT_RUN, unknownBlock } from './study-blocks.ts';
import { readParts, readStudies, type Study, type StudyPart } from './study.ts';
import { partSummary } from './part-summary.ts';

const FOLDER = 'docs/studies';

/** The pages of all studies, their pictures and their index: what stands between the marks of a page comes from data. */
export function studyPages(): Record<string, string> {
  const studies = readStudies(FOLDER).map((study) => ({ study, parts: readParts(FOLDER, study) }));
  return Object.fromEntries([
    ...studies.map(({ study, parts }) => page(study.name, (block) => blockOf(block, parts))),
    page('README', (block) => {
      if (block === 'studies') return indexTable(studies);
      throw unknownBlock(block);
    }),
    ...studies.flatMap(({ parts }) => parts.flatMap(figuresOf)),
  ]);
}

/** A page as it is, with its blocks written anew. */
function page(name: string, contentOf: (block: string) => string): readonly [file: string, content: string] {
  const file = path.posix.join(FOLDER, `${name}.md`);
  return [file, fillBlocks(readFileSync(file, 'utf8'), contentOf)];
}

function figuresOf(part: StudyPart): [file: string, content: string][] {
  const { title, rows, curvePoints } = part;
  const figures = [
    ['returns', rows === null ? null : returnsFigure(title, rows)],
    ['curve', curvePoints === null ? null : curveFigure(title, curvePoints)],
  ] as const;
  return figures.flatMap(([kind, content]) =>
    content === null ? [] : [[path.posix.join(FOLDER, figurePath(part, kind)), content] as [string, string]],
  );
}

function indexTable(studies: readonly { readonly study: Study; readonly parts: readonly StudyPart[] }[]): string {
  const lines = studies.map(({ study, parts }) => [
    `[${study.title}](${study.name}.md)`,
    study.question,
    parts.map((part) => `${part.title}: ${partSummary(part) ?? NOT_RUN}`).join(' '),
  ]);
  return markdownTable(['study', 'question', 'what came out'], lines);
}
