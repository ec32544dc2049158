import type { z } from 'zod';
import type { Database } from '../../infra/postgres/database.ts';
import type { Server } from '../contract/server.ts';

/** What answers are made from. */
export interface ApiContext {
  readonly database: Database;
  readonly server: Server;
}

/** What is asked: the `{id}` of the path, and the query as its schema has parsed it. */
export interface Asked<Query extends z.ZodObject> {
  readonly id: string;
  readonly query: z.output<Query>;
}

/**
 * A resource of the page's JSON. The handler, the reading of the query, and the description in the OpenAPI document all
 * come from it.
 */
export interface Route<Query extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> {
  /** Below `/api/v1`; `{id}` stands for the id of an experiment, a run or a failure, percent-encoded. */
  readonly path: string;
  /** What it answers, in one sentence. */
  readonly summary: string;
  readonly query: Query;
  readonly answer: Answer;
  /** Whether it takes long to make, and tells nothing but what is committed of one experiment: then it is made once. */
  readonly isKept?: boolean;
  /** Numbers may be NaN or infinite: they are written as JSON can hold them. @throws REQUEST_UNKNOWN_ID */
  load(context: ApiContext, asked: Asked<Query>): Promise<z.input<Answer>>;
}

/** Checks that what a route loads is what its schema says. */
export function defineRoute<Query extends z.ZodObject, Answer extends z.ZodType>(
  route: Route<Query, Answer>,
): Route<Query, Answer> {
  return route;
}
