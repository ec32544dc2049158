import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { z } from 'zod';
import { findExperimentId, findExperimentState } from '../infra/postgres/experiment-rows.ts';
import { answerIfNew, answerKnown, JSON_TYPE } from './answers.ts';
import type { ApiContext, Asked, Route } from './api/route.ts';
import { plainJson } from './documents/plain-json.ts';

const ANSWERS_MAX = 500;
const CHARACTERS_MAX = 64_000_000;

/**
 * Answers about experiments that are made once for each state of the rows, however many pages ask for them at a time: of a
 * finished experiment that is once and for all. Who has the newest is told so before anything is made.
 */
export class KeptAnswers {
  private readonly context: ApiContext;
  /** By name, the one that was asked for longest ago first. */
  private readonly texts = new Map<string, { readonly text: Promise<string>; size: number }>();
  private size = 0;

  constructor(context: ApiContext) {
    this.context = context;
  }

  async answer(c: Context, route: Route, { id, query }: Asked<z.ZodObject>): Promise<Response> {
    const { database, server } = this.context;
    const experimentId = await findExperimentId(database, id);
    const state = await findExperimentState(database, experimentId);
    const parts = [server.version, route.path, experimentId, query, state];
    const name = createHash('sha1').update(JSON.stringify(parts)).digest('base64url');
    const known = answerKnown(c, name);
    if (known !== null) return known;
    const make = async () => plainJson(await route.load(this.context, { id: experimentId, query }));
    return answerIfNew(c, name, JSON_TYPE, await this.text(name, make));
  }

  private async text(name: string, make: () => Promise<string>): Promise<string> {
    const known = this.texts.get(name);
    const kept = known ?? { text: make(), size: 0 };
    this.texts.delete(name);
    this.texts.set(name, kept);
    try {
      const text = await kept.text;
      if (known === undefined) this.count(name, kept, text.length);
      return text;
    } catch (error) {
      this.texts.delete(name);
      throw error;
    }
  }

  /** What is being made counts nothing until it is there; it may have been dropped by then. */
  private count(name: string, kept: { size: number }, size: number): void {
    if (this.texts.get(name) !== kept) return;
    kept.size = size;
    this.size += size;
    for (const [oldest, { size: freed }] of this.texts) {
      if (this.texts.size <= ANSWERS_MAX && this.size <= CHARACTERS_MAX) return;
      this.texts.delete(oldest);
      this.size -= freed;
    }
  }
}
