import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import type { ChangeFeed } from '../infra/postgres/change-feed.ts';
import { findExperimentId } from '../infra/postgres/experiment-rows.ts';
import type { Logger } from '../infra/log.ts';
import { isThawError } from '../schemas/errors.ts';
import { refuseOtherHosts, requireToken, type Access } from './access.ts';
import { answerError, answerJson, answerProblem, type Problem } from './answers.ts';
import { parseQuery } from './api/query.ts';
import type { ApiContext, Route } from './api/route.ts';
import { ROUTES } from './api/routes.ts';
import { changesQuerySchema, changeStream } from './changes.ts';
import { KeptAnswers } from './kept-answers.ts';
import { API, openapiDocument } from './openapi.ts';
import { createOrders, type Control } from './orders.ts';
import { createPageFiles } from './page-files.ts';

/** The page loads from where it comes from and from nowhere else; nobody may put it into a frame. */
const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // The server speaks plain HTTP; whoever puts it behind TLS says so there.
  strictTransportSecurity: false,
});

export interface ApplicationOptions {
  readonly context: ApiContext;
  readonly feed: ChangeFeed;
  readonly access: Access;
  /** Carries orders out; null for a server that only shows. */
  readonly control: Control | null;
  /** Where the page was built. */
  readonly pageFolder: string;
  readonly log: Logger;
}

/** Everything that the server answers. */
export function createApplication({ context, feed, access, control, pageFolder, log }: ApplicationOptions): Hono {
  const app = new Hono();
  app.use(logged(log));
  app.use(HEADERS);
  app.use(refuseOtherHosts(access));
  app.use(requireToken(access));
  app.use(compress());
  app.onError((error, c) => {
    if (!isThawError(error) || error.kind === 'defect') log.error({ err: error, path: c.req.path }, 'a request failed');
    return answerError(c, error);
  });
  const kept = new KeptAnswers(context);
  for (const route of ROUTES) {
    app.get(pathOf(route), async (c) => {
      const query = parseQuery(route.query, new URL(c.req.url).searchParams);
      const asked = { id: c.req.param('id') ?? '', query };
      return route.isKept === true ? kept.answer(c, route, asked) : answerJson(c, await route.load(context, asked));
    });
  }
  app.get(`${API}/changes`, async (c) => {
    const { experiment } = parseQuery(changesQuerySchema, new URL(c.req.url).searchParams);
    const experimentId = experiment === undefined ? null : await findExperimentId(context.database, experiment);
    const isBack = c.req.header('Last-Event-ID') !== undefined;
    c.header('Content-Type', 'text/event-stream');
    c.header('Cache-Control', 'no-store');
    // A head has no body that could be ended: what listens for it would listen for ever.
    if (c.req.method === 'HEAD') return c.body(null);
    return c.body(changeStream({ feed, experimentId, isBack }));
  });
  app.get(`${API}/openapi.json`, (c) => answerJson(c, openapiDocument()));
  app.route(API, createOrders(control));
  refuseOtherMethods(app);
  const page = createPageFiles(pageFolder);
  app.get('*', page);
  app.notFound((c) => answerProblem(c, 405, notAllowed(c.req.method)));
  return app;
}

/** Hono writes a part of a path as `:id`. */
function pathOf({ path }: Route): string {
  return `${API}${path.replace('{id}', ':id')}`;
}

/** What is known and is asked for in another way, and what is below /api and is nothing. */
function refuseOtherMethods(app: Hono): void {
  for (const path of [...ROUTES.map(pathOf), `${API}/changes`, `${API}/openapi.json`]) {
    app.all(path, (c) => {
      c.header('Allow', 'GET, HEAD');
      return answerProblem(c, 405, notAllowed(c.req.method));
    });
  }
  app.all('/api/*', (c) =>
    answerProblem(c, 404, {
      code: 'REQUEST_NOT_AVAILABLE',
      message: `There is nothing at ${c.req.path}.`,
      remedy: `${API}/openapi.json describes what there is.`,
    }),
  );
}

function notAllowed(method: string): Problem {
  return {
    code: 'REQUEST_BAD_ARGUMENT',
    message: `${method} is not answered here.`,
    remedy: 'Read with GET; orders are given with POST, where `thaw ui --allow-control` was started.',
  };
}

/** A line for every request, for whoever looks at what the page does. */
function logged(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const startedMs = performance.now();
    await next();
    const { method, path } = c.req;
    log.debug({ method, path, status: c.res.status, ms: Math.round(performance.now() - startedMs) }, 'request');
  };
}
