import { z } from 'zod';
import type { Route } from './api/route.ts';
import { ROUTES } from './api/routes.ts';
import { changesQuerySchema } from './changes.ts';
import { numberSchema } from './contract/numbers.ts';
import { changesSchema, errorSchema, orderedSchema, ORDERS } from './contract/server.ts';

/** Where the JSON begins. Another number when something is taken away from it or means something else. */
export const API = '/api/v1';

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION =
  'What the page of `thaw ui` shows, as JSON. It is read by GET; orders are given by POST where the server was started with ' +
  '`--allow-control`. Null is not measured; NaN and the infinities are the strings "NaN", "Infinity", "-Infinity". Keys and ' +
  'resources may be added under this version.';

/** As it stands in every schema that has one. */
const NUMBER = withoutDialect(z.toJSONSchema(numberSchema));

function withoutDialect({ $schema: _dialect, ...schema }: Json): Json {
  return schema;
}

/** The description of the page's JSON, made from the same table as its handlers. */
export function openapiDocument(): Json {
  const answers = ROUTES.map((route) => [nameOf(route.path), schemaOf(route.answer, 'output')] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Thaw',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API }],
    paths: {
      ...Object.fromEntries(ROUTES.map((route) => [route.path, { get: readingOf(route) }])),
      '/changes': { get: CHANGES },
      '/experiments/{id}/{order}': { post: orderingOf('experiment') },
      '/runs/{id}/{order}': { post: orderingOf('run') },
    },
    components: {
      schemas: {
        ...Object.fromEntries(answers),
        Changes: schemaOf(changesSchema, 'output'),
        Ordered: schemaOf(orderedSchema, 'output'),
        Error: schemaOf(errorSchema, 'output'),
        Number: NUMBER,
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Needed where the server is reached from other machines.',
        },
      },
    },
    security: [{}, { token: [] }],
  };
}

/** `/experiments/{id}/simulator-returns` → ExperimentSimulatorReturns; what has an id is one of its kind. */
function nameOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts
    .map((part, index) => (parts[index + 1] === '{id}' ? part.replace(/s$/, '') : part))
    .filter((part) => !part.startsWith('{'))
    .flatMap((part) => part.split('-'))
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

function readingOf({ path, summary, query }: Route): Json {
  const name = nameOf(path);
  return {
    operationId: `get${name}`,
    summary,
    parameters: [...idParameter(path), ...queryParameters(query)],
    responses: { 200: answerOf(summary, { $ref: `#/components/schemas/${name}` }), ...failures() },
  };
}

const CHANGES: Json = {
  operationId: 'getChanges',
  summary: 'Server-sent events `changes` of what changes about runs; their data is a `Changes`.',
  parameters: queryParameters(changesQuerySchema),
  responses: {
    200: { description: 'Events, without an end.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    ...failures(),
  },
};

function orderingOf(kind: 'experiment' | 'run'): Json {
  const order = { name: 'order', in: 'path', required: true, schema: { type: 'string', enum: [...ORDERS] } };
  const summary = `Gives an order about ${kind === 'run' ? 'a run' : 'an experiment'}.`;
  return {
    operationId: `order${kind === 'run' ? 'Run' : 'Experiment'}`,
    summary,
    description: 'It has to come from the page itself: `Origin` must be the address of the server.',
    parameters: [...idParameter(`/${kind}s/{id}`), order],
    responses: { 200: answerOf('What came of it.', { $ref: '#/components/schemas/Ordered' }), ...failures() },
  };
}

const IDS: readonly (readonly [start: string, description: string])[] = [
  ['/experiments/', 'Of an experiment: its id, a unique prefix of it, its name, or @latest.'],
  ['/runs/', 'Of a run, EXPERIMENT/VARIANT/SEED, with / written as %2F.'],
  ['/failures/', 'Of a failure, EXPERIMENT/VARIANT/SEED:ROUND.K, with / written as %2F.'],
];

function idParameter(path: string): Json[] {
  if (!path.includes('{id}')) return [];
  const [, description] = IDS.find(([start]) => path.startsWith(start))!;
  return [{ name: 'id', in: 'path', required: true, description, schema: { type: 'string' } }];
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {} } = schemaOf(query, 'input') as { properties?: Readonly<Record<string, Json>> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const own = withoutDialect(z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => dropSafeLimits(jsonSchema) }));
  const number = JSON.stringify(NUMBER);
  return JSON.parse(JSON.stringify(own), (_key, value: unknown) =>
    JSON.stringify(value) === number ? { $ref: '#/components/schemas/Number' } : value,
  ) as Json;
}

/** That whole numbers are exact in a double goes without saying. */
function dropSafeLimits(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function answerOf(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

function failures(): Json {
  const failure = (description: string) => answerOf(description, { $ref: '#/components/schemas/Error' });
  return {
    400: failure('The request is wrong; the message says where.'),
    401: failure('A token is needed.'),
    403: failure('The server does not allow this.'),
    404: failure('Nothing has this id.'),
    409: failure('The request does not fit what is stored.'),
    503: failure('The database or another service is away.'),
  };
}
