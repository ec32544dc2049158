/** Writes the files that are made from code; with `--check` it writes nothing and fails when one is out of date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatedFiles } from './generated-files.ts';

const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [file, content] of Object.entries(generatedFiles())) {
  const current = await readFile(file, 'utf8').catch(() => null);
  if (current === content) continue;
  stale.push(file);
  if (isCheck) continue;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run: npm run generate`);
  process.exitCode = 1;
} else {
  for (const file of stale) console.log(`wrote ${file}`);
}
