import { panelSchema } from '../schemas/panel.ts';
import { createSchemaCheck, type SchemaCheck } from './check-schema.ts';
import { problemFrom, type Finding } from './finding.ts';
import { jsonSchemaFrom } from './json-schema.ts';
import { parseDocument, type ParsedDocument } from './parse-document.ts';
import { isRecord } from './path.ts';
import { DIALECTS } from './translate.ts';

/** The variant that a file of panels alone is made an experiment of. */
const EVALUATED = 'evaluated';

/** What panels do not have, and every experiment of some form does. */
const EXPERIMENT_KEYS = ['variants', ...DIALECTS.flatMap(({ marks }) => marks)];

/** Made when first needed, because making it takes longer than using it. */
let checkPanel: SchemaCheck | undefined;

/**
 * Reads a file of panels as the least experiment that has them, or an experiment as it is: so panels are checked as an
 * experiment's are, and a policy is judged by what a run could have been judged by.
 * @param fileName without folder and ending: its name, where it has none
 */
export function parsePanel(text: string, fileName: string): ParsedDocument {
  const parsed = parseDocument(text);
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  if (isRecord(document) && EXPERIMENT_KEYS.some((key) => Object.hasOwn(document, key))) return parsed;
  checkPanel ??= createSchemaCheck(jsonSchemaFrom(panelSchema));
  const refused = checkPanel(document);
  const findings = refused.length > 0 ? refused : withoutTraining(document as PanelDocument);
  if (findings.length > 0) return { ok: false, problems: findings.map(problemFrom) };
  return { ok: true, document: experimentFrom(document as PanelDocument, fileName) };
}

interface PanelDocument {
  readonly panels?: { readonly train?: readonly string[] };
}

/** It is never started: its algorithm, strategy and budget mean nothing. */
function experimentFrom(document: PanelDocument, fileName: string): Record<string, unknown> {
  const name = fileName.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9._-]+/g, '').slice(0, 64);
  return {
    name: name === '' ? 'panels' : name,
    ...document,
    variants: { [EVALUATED]: {} },
    strategy: { kind: 'pool', size: document.panels!.train!.length },
    budget: { env_steps: 1, rounds: 1 },
    seeds: [0],
  };
}

function withoutTraining({ panels }: PanelDocument): Finding[] {
  if ((panels?.train ?? []).length > 0) return [];
  return [
    {
      path: ['panels', 'train'],
      found: panels?.train === undefined ? 'nothing' : 'an empty list',
      expected: 'the simulators that the policy was trained in: with these the others are compared',
      remedy: 'Name at least one, e.g. "panels": { "train": ["base"], "test": ["sim_b"] }.',
    },
  ];
}
