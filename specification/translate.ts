import { createSchemaCheck, parsePart, type SchemaCheck } from './check-schema.ts';
import { batchForm } from './dialects/batch-form.ts';
import { FORM_WORLD, type Dialect } from './dialects/dialect.ts';
import { poolForm } from './dialects/pool-form.ts';
import type { Finding } from './finding.ts';
import { jsonSchemaFrom } from './json-schema.ts';
import { isRecord, isWithin, type Path } from './path.ts';
import type { Registries } from './registries.ts';

/** Each is written for the type of its own form, which its own schema makes sure of. */
export const DIALECTS = [batchForm, poolForm] as unknown as readonly Dialect<unknown>[];

export interface Translation {
  readonly form: 'native' | 'batch' | 'pool';
  /** As a spec of Thaw; undefined when something is wrong with the form. */
  readonly document: unknown;
  readonly findings: readonly Finding[];
  /** Where what stands at a place of the spec comes from. */
  originOf(path: Path): Path;
}

/** Made when first needed. */
const CHECKS = new Map<Dialect<unknown>, SchemaCheck>();

function checkForm(dialect: Dialect<unknown>, document: unknown): Finding[] {
  const check = CHECKS.get(dialect) ?? createSchemaCheck(jsonSchemaFrom(dialect.schema));
  CHECKS.set(dialect, check);
  return check(document);
}

/** Tells the form of a document by its keys, and reads it as a spec; only the errors of that form are reported. */
export function translate(document: unknown, fileName: string, { families }: Registries): Translation {
  const dialect = DIALECTS.find(({ marks }) => isRecord(document) && marks.some((key) => Object.hasOwn(document, key)));
  if (dialect === undefined) return { form: 'native', document, findings: [], originOf: (path) => path };
  const originOf = (path: Path): Path => {
    const fitting = dialect.origins.filter(([place]) => isWithin(path, place));
    const key = fitting.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
    return key === undefined ? path : [key];
  };
  const structural = checkForm(dialect, document);
  const parsed = parsePart(dialect.schema, document, []);
  if (structural.length > 0 || !('value' in parsed)) {
    const findings = structural.length > 0 || 'value' in parsed ? structural : parsed.findings;
    return { form: dialect.form, document: undefined, findings, originOf: (path) => path };
  }
  const family = families[FORM_WORLD.family];
  const world = family?.open(family.optionsSchema.parse(FORM_WORLD.family_options));
  const source = { fileName: baseName(fileName), simulators: Object.keys(world?.catalogue ?? {}) };
  return { form: dialect.form, document: dialect.translate(parsed.value, source), findings: [], originOf };
}

/** The name of a file without folder and ending. */
function baseName(fileName: string): string {
  return fileName
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '');
}
