import { ThawError } from '../../schemas/errors.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { nearestName } from '../../specification/nearest.ts';
import { defaultWorld } from '../../specification/open-family.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { FAMILY_STARTS, startFromCatalogue } from '../init/family-start.ts';
import { DEFAULT_COMPARED, OFFERED_STRATEGIES, startDocument } from '../init/start-document.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { print } from '../terminal/terminal.ts';
import { exampleOf, valueWithin } from './example-value.ts';
import { findPart, partsOf, type FoundPart } from './find-part.ts';
import { partText } from './part-text.ts';
import { choiceWords, guideOf, placeWords } from './part-words.ts';
import { explainedSchema } from './spec-schema.ts';

const WIDTH_MAX = 120;

/** Prints what a key of an experiment is, in words or as its JSON Schema. @param path empty for the whole */
export function explainKey(
  path: string,
  { family, format }: { readonly family: string; readonly format: 'text' | 'json' },
): void {
  checkFamily(family);
  const found = findPart(explainedSchema(family, DEFAULT_REGISTRIES), partsOf(path));
  if (format === 'json') {
    print(jsonText(found.schemas.length === 1 ? found.schemas[0] : { anyOf: found.schemas }, 2));
    return;
  }
  const width = Math.min(WIDTH_MAX, process.stdout.columns ?? WIDTH_MAX);
  print(found.schemas.map((schema) => explainedText(schema, found, { family, width })).join('\n\n'));
}

/** One part in words. */
export function explainedText(
  schema: JsonSchema,
  { path, key, isRequired }: FoundPart,
  { family, width }: { readonly family: string; readonly width: number },
): string {
  const inVariant = path[0] === 'variants' && path.length > 2;
  const own = inVariant ? path.slice(2) : path;
  return partText(schema, {
    path: path.join('.'),
    key,
    isRequired,
    example: exampleAt(own, schema, family),
    choices: choiceWords(own, family, DEFAULT_REGISTRIES),
    place: placeWords(own),
    guide: guideOf(own, family, DEFAULT_REGISTRIES),
    width,
  });
}

/** What a first experiment has there; otherwise something that the schema accepts. */
function exampleAt(path: readonly string[], schema: JsonSchema, family: string): unknown {
  const start = FAMILY_STARTS[family] ?? startFromCatalogue(defaultWorld(DEFAULT_REGISTRIES.families[family]!));
  const choices = { name: 'first', family, compare: DEFAULT_COMPARED, seedCount: 3, envSteps: 500_000 };
  const { document } = startDocument(choices, start, '../schemas/generated/experiment.schema.json');
  const offered = path[0] === 'strategy' ? OFFERED_STRATEGIES[path[1] ?? 'pool'] : undefined;
  if (offered !== undefined && path.length <= 2) return offered.strategy(start);
  return valueWithin(document, path) ?? exampleOf(schema);
}

function checkFamily(family: string): void {
  const known = Object.keys(DEFAULT_REGISTRIES.families);
  if (known.includes(family)) return;
  const nearest = nearestName(family, known);
  throw new ThawError('REQUEST_BAD_ARGUMENT', `"${family}" is no family; there are ${known.join(', ')}.`, {
    remedy: nearest === undefined ? 'Name one of these.' : `Write "${nearest}", if that is what was meant.`,
  });
}
