import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blockOf } from './study-blocks.ts';
import { readParts, readStudies } from './study.ts';

const FOLDER = 'docs/studies';
const studies = readStudies(FOLDER);

describe.each(studies)('the study $name', (study) => {
  const parts = readParts(FOLDER, study);

  it('is made of experiments that are there, each with its baseline', () => {
    for (const { experiment, baseline } of parts) {
      const document = JSON.parse(readFileSync(`experiments/${experiment}.json`, 'utf8')) as {
        name: string;
        variants: object;
      };
      expect(document.name).toBe(experiment);
      expect(Object.keys(document.variants)).toContain(baseline);
    }
  });

  it('has a page with a table, a command and a summary of each of them', () => {
    const page = readFileSync(`${FOLDER}/${study.name}.md`, 'utf8');
    for (const { experiment } of parts) {
      for (const kind of ['summary', 'table', 'command']) {
        expect(page).toContain(`<!-- generated: ${kind} ${experiment} -->`);
      }
    }
  });

  it('says that it was not run exactly where there is no data', () => {
    for (const part of parts) {
      const isRun = existsSync(`${FOLDER}/data/${part.experiment}.json`);
      expect(blockOf(`table ${part.experiment}`, parts) === 'Not run yet.').toBe(!isRun);
    }
  });
});

it('a block that nothing writes is refused', () => {
  const parts = readParts(FOLDER, studies[0]!);
  for (const block of ['table nowhere', `picture ${parts[0]!.experiment}`, 'table']) {
    expect(() => blockOf(block, parts)).toThrow(block);
  }
});
