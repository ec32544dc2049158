import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/source-files.ts';

/** What says how far simulators are from those of the test panel. */
const DISTANCES = ['specification/simulator-distances.ts', 'cli/lineage/test-distances.ts'];
const EVIDENCE = 'specification/evidence.ts';

const isShipped = (file: string) => file.endsWith('.ts') && !file.endsWith('.test.ts');
const choosing = ['learning/strategies', 'learning/failures'].flatMap((folder) => filesBelow(folder).filter(isShipped));
const activities = filesBelow('activities').filter(isShipped);

/** Our files that a file imports, values and types alike. */
function importsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)];
  return specifiers.map(([, specifier]) => path.join(path.dirname(file), specifier!));
}

/** All that some files import, and that these import in turn, themselves included. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set(files);
  for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);
  return reached;
}

describe('what is held out', () => {
  it('is looked for where it could be: the files exist, and others reach them', () => {
    expect(choosing.length).toBeGreaterThan(20);
    expect(activities).toContain('activities/adapt-pool.ts');
    expect([...reachedFrom(['cli/lineage/show-lineage.ts'])]).toEqual(expect.arrayContaining(DISTANCES));
    expect([...reachedFrom([...choosing, ...activities])].filter((file) => !existsSync(file))).toEqual([]);
  });

  it('is at no distance known to code that chooses or trains: no file leads there', () => {
    const reached = reachedFrom([...choosing, ...activities]);
    expect(reached).toContain(EVIDENCE);
    expect(DISTANCES.filter((file) => reached.has(file))).toEqual([]);
  });

  it('is nothing that a strategy or a maker of simulators knows the name of', () => {
    const codeOf = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    const naming = /[{,]\s*test\s*[,}]|\.test\b(?!\()|'test'|\btestPanel|\bpanelSimulators\b/;
    expect(naming.test(codeOf(EVIDENCE))).toBe(true);
    expect(choosing.filter((file) => naming.test(codeOf(file)))).toEqual([]);
  });
});
