import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveDocument, specDocument } from '../test/support/spec-document.ts';

describe('the document beside a resolved experiment', () => {
  it.each([
    ['with settings', specDocument(), ['budget.rounds=7', 'seeds={"first":3,"count":2}', 'labels.paper=draft']],
    ['of the batch form', form('batch'), ['budget.rounds=4']],
    ['of the pool form', form('pool'), ['execution.device=cpu']],
  ])('%s becomes the same experiment by itself', (_, document, overrides) => {
    const first = resolveDocument(document, overrides, 'a-file.json');
    if (!first.ok) throw new Error(JSON.stringify(first.problems));
    const again = resolveDocument(JSON.parse(JSON.stringify(first.document)), [], 'another.json');
    expect(again).toMatchObject({
      document: first.document,
      experiment: { ...first.experiment, source_form: 'native' },
    });
  });
});

function form(name: string): unknown {
  return JSON.parse(readFileSync(`experiments/forms/${name}-form.json`, 'utf8'));
}
