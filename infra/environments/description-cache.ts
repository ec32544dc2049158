import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EnvironmentDescription } from '../../simulators/bridged/bridge.ts';
import { keptDescriptionSchema } from './description.ts';
import { pythonProgramFiles } from './python-program.ts';

const keptSchema = z.object({
  /** Every file with its time of change and its size. */
  files: z.array(z.tuple([z.string(), z.number(), z.number()])),
  description: keptDescriptionSchema,
});

/**
 * A description of an environment that was asked before. Asking takes a second or more, and every command would ask: it
 * holds as long as nothing was installed or removed, and the file of the environment and ours stayed as they were.
 */
export class DescriptionCache {
  private readonly file: string;

  /** @param key all that was asked */
  constructor({ python, cache }: { readonly python: string; readonly cache: string }, key: string) {
    const { PATH = '', PYTHONPATH = '', VIRTUAL_ENV = '' } = process.env;
    const asked = JSON.stringify([python, PATH, PYTHONPATH, VIRTUAL_ENV, key]);
    this.file = path.join(cache, `${createHash('sha256').update(asked).digest('hex').slice(0, 32)}.json`);
  }

  read(): EnvironmentDescription | null {
    try {
      const kept = keptSchema.parse(JSON.parse(readFileSync(this.file, 'utf8')));
      const isFresh = kept.files.every(([file, changedMs, size]) => {
        const now = statSync(file);
        return now.mtimeMs === changedMs && now.size === size;
      });
      return isFresh ? kept.description : null;
    } catch {
      return null;
    }
  }

  /** Keeps a description. Where that is not possible, it is asked again next time. */
  write(description: EnvironmentDescription, files: readonly string[]): void {
    try {
      const stamped = [...files, ...pythonProgramFiles()].map((file) => {
        const { mtimeMs, size } = statSync(file);
        return [file, mtimeMs, size];
      });
      mkdirSync(path.dirname(this.file), { recursive: true });
      const partial = `${this.file}.${randomUUID()}`;
      writeFileSync(partial, JSON.stringify({ files: stamped, description }));
      renameSync(partial, this.file);
    } catch {
      // A home that cannot be written to makes itself heard elsewhere.
    }
  }
}
