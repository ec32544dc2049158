import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { embedTrainers } from './embed-trainers.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, 'lib'));
const CONTENTS = { 'train.py': 'print(1)', 'lib/network.py': 'print(2)' };
for (const [name, text] of Object.entries(CONTENTS)) writeFileSync(path.join(folder, name), text);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const trainer = (more: object) => ({
  trainer: { kind: 'command', command: ['python3', 'train.py', '--fast'], ...more },
});

describe('the files of a trainer', () => {
  it('are the arguments that are files when nothing is said, by what is in them', async () => {
    const { document, files, problems } = await embedTrainers(trainer({}), folder);
    const hash = hashOf(CONTENTS['train.py']);
    expect(problems).toEqual([]);
    expect(document).toMatchObject({ trainer: { files: { 'train.py': hash } } });
    expect([...files]).toEqual([[hash, Buffer.from(CONTENTS['train.py'])]]);
  });

  it('are those that are listed, also in a variant', async () => {
    const listed = trainer({ files: Object.keys(CONTENTS) });
    const { document, files } = await embedTrainers(
      { name: 'x', variants: { a: listed, b: { algorithm: {} } } },
      folder,
    );
    const hashes = Object.fromEntries(Object.entries(CONTENTS).map(([name, text]) => [name, hashOf(text)]));
    expect(document).toEqual({
      name: 'x',
      variants: { a: { trainer: { ...listed.trainer, files: hashes } }, b: { algorithm: {} } },
    });
    expect(files.size).toBe(2);
  });

  it.each([
    ['a missing one', ['none.py']],
    ['one outside of the folder', ['../train.py']],
    ['an absolute one', ['/etc/hostname']],
    ['a folder', ['lib']],
  ])('%s is told with its place, and the others are looked at all the same', async (_, names) => {
    const { problems, files } = await embedTrainers(
      { variants: { a: trainer({ files: [...names, 'train.py'] }) } },
      folder,
    );
    expect(problems).toMatchObject([
      { code: 'REQUEST_FILE_UNREADABLE', path: 'variants.a.trainer.files', found: expect.stringContaining(names[0]!) },
    ]);
    expect(files.size).toBe(1);
  });

  it('a document with hashes already, or without a trainer, stays what it is', async () => {
    for (const document of [trainer({ files: { 'train.py': hashOf('') } }), { name: 'x' }, [], null, 'text']) {
      expect(await embedTrainers(document, folder)).toEqual({ document, files: new Map(), problems: [] });
    }
  });
});
