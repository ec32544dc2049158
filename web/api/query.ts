import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import { listNames, nearestName } from '../../specification/nearest.ts';

/**
 * A query string as its schema wants it: texts become numbers where it holds numbers, and lists, written with commas or as
 * often as wanted, where it holds lists.
 * @throws REQUEST_BAD_ARGUMENT with everything that is wrong with it
 */
export function parseQuery<Query extends z.ZodObject>(schema: Query, given: URLSearchParams): z.output<Query> {
  const names = Object.keys(schema.shape);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  const raw = names.flatMap((name): [string, unknown][] => {
    const texts = given.getAll(name).filter((text) => text !== '');
    return texts.length === 0 ? [] : [[name, valueFrom(schema.shape[name] as z.ZodType, texts)]];
  });
  const parsed = schema.safeParse(Object.fromEntries(raw));
  if (parsed.success && unknown.length === 0) return parsed.data;
  const problems = [
    ...unknown.map((name) => unknownText(name, names)),
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)),
  ];
  throw new ThawError('REQUEST_BAD_ARGUMENT', `The query is wrong. ${problems.join('; ')}.`, {
    remedy: 'Correct what is named; /api/v1/openapi.json describes every query.',
  });
}

/** What is given twice where one value is wanted stays a list, which the schema refuses. */
function valueFrom(schema: z.ZodType, texts: readonly string[]): unknown {
  const kind = kindOf(schema);
  if (kind === 'array') return texts.flatMap((text) => text.split(','));
  const values = kind === 'number' || kind === 'union' ? texts.map(numberFrom) : texts;
  return values.length === 1 ? values[0] : values;
}

function numberFrom(text: string): unknown {
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The kind of value beneath what may be left out. */
function kindOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return kindOf(schema.unwrap() as z.ZodType);
  return schema.def.type;
}

function unknownText(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `known: ${listNames(names)}` : `did you mean ${nearest}?`;
  return `"${name}" is no parameter here; ${hint}`;
}
