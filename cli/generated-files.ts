import { ERROR_CATALOGUE } from '../schemas/error-catalogue.ts';
import type { Family } from '../simulators/contract.ts';
import { FAMILIES } from '../simulators/registry.ts';
import {
  experimentJsonSchema,
  jsonSchemaFrom,
  type JsonSchema,
  panelJsonSchema,
} from '../specification/json-schema.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { withSharedDefinitions } from '../specification/shared-definitions.ts';
import { DIALECTS } from '../specification/translate.ts';
import { openapiDocument } from '../web/openapi.ts';
import { BRIDGED_FAMILIES } from './simulators/bridged-families.ts';
import { errorPage } from './errors/error-page.ts';
import { EXPORTED_TABLES } from './export/exported-tables.ts';
import { exportTablesPage } from './export/tables-page.ts';
import { simulatorPages } from './simulators/simulator-page.ts';
import { baselinePages } from './studies/baseline-page.ts';
import { studyPages } from './studies/study-pages.ts';

/** Those that are reached in Python among them: the schema for editors asks none of them. */
const EVERYTHING = { ...DEFAULT_REGISTRIES, families: { ...FAMILIES, ...byName(BRIDGED_FAMILIES) } };

/** Every file of the repository that is made from code or data: path from its root, where it is called → content. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const forms = DIALECTS.map(({ form, schema }): [string, string] => [
    `schemas/generated/${form}-form.schema.json`,
    jsonText({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...jsonSchemaFrom(schema) }),
  ]);
  return {
    'schemas/generated/experiment.schema.json': jsonText(withSharedDefinitions(experimentJsonSchema(EVERYTHING))),
    'schemas/generated/panel.schema.json': jsonText(withSharedDefinitions(panelJsonSchema(EVERYTHING))),
    ...Object.fromEntries(forms),
    'docs/api/openapi.json': jsonText(openapiDocument()),
    'docs/errors.md': errorPage(ERROR_CATALOGUE),
    'docs/guides/export-tables.md': exportTablesPage(EXPORTED_TABLES),
    ...simulatorPages(FAMILIES),
    ...studyPages(),
    ...baselinePages(),
  };
}

function byName(families: readonly Family[]): Record<string, Family> {
  return Object.fromEntries(families.map((family) => [family.name, family]));
}

function jsonText(schema: JsonSchema | Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
