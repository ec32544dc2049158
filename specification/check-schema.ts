import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { describeValue, type Finding } from './finding.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Path, valueAt } from './path.ts';
import { findingsFrom } from './schema-findings.ts';

/** Finds everything in a document that a JSON Schema refuses. */
export type SchemaCheck = (document: unknown) => Finding[];

const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: false,
  // Schemas come from zod, so that they are schemas need not be checked: it takes longer than compiling one.
  validateSchema: false,
  // A check is compiled for few documents. Without these two that of a setting is compiled in half the time, and that of the
  // schema for editors in a fifth: 0.4 s instead of 2.3 (medians of 9).
  code: { optimize: false },
  inlineRefs: false,
} as const;

/** @param schema of the 2020-12 draft, complete in itself */
export function createSchemaCheck(schema: JsonSchema): SchemaCheck {
  const validate: ValidateFunction = new Ajv2020(OPTIONS).compile(schema);
  return (document) => (validate(document) ? [] : findingsFrom(validate.errors ?? [], document));
}

export type Parsed<T> = { readonly value: T } | { readonly findings: readonly Finding[] };

/** Parses a part of a document with zod, which writes out the defaults and knows rules that JSON Schema cannot say. */
export function parsePart<T>(schema: z.ZodType<T>, value: unknown, path: Path): Parsed<T> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  return {
    findings: result.error.issues.map((issue) => {
      const inside = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
      return {
        path: [...path, ...inside],
        found: describeValue(valueAt(value, inside)),
        expected: issue.message,
        remedy: remedyOf(issue) ?? 'Choose a value that fits.',
      };
    }),
  };
}

/** A rule that a schema states itself may say what to do. */
function remedyOf(issue: z.core.$ZodIssue): string | undefined {
  return issue.code === 'custom' ? (issue.params?.['remedy'] as string | undefined) : undefined;
}
