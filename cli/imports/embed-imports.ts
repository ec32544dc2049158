import type { Import } from '../../infra/postgres/import-rows.ts';
import type { Problem } from '../../schemas/problem.ts';
import { nearestName } from '../../specification/nearest.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { expandStarts } from './expand-starts.ts';
import type { ImportLookup, LookedUpImport } from './import-lookup.ts';
import { standInPolicy, standInStart } from './stand-in.ts';

/** `import:NAME`, or `import:NAME/PART`: a seat of its partners, or one of its starts. */
const REFERENCE = /^import:([^/]*)(?:\/(.*))?$/;

interface EmbeddedImports {
  readonly document: unknown;
  /** Imported policies that the document names. */
  readonly policies: PolicyFiles;
  readonly problems: Problem[];
  /** References that nobody could be asked about; others stand in for them. */
  readonly unchecked: readonly string[];
}

/**
 * Puts the content in the place of every import that a document names, because a simulator is what it contains: of a
 * partner the hash of its policy, of a start its numbers.
 */
export async function embedImports(document: unknown, lookup: ImportLookup): Promise<EmbeddedImports> {
  const embedder = new Embedder(document, lookup);
  const expanded = await expandStarts(document, (reference) => embedder.startNames(reference));
  const embedded = await embedder.embed(expanded, '');
  const { policies, problems, unchecked } = embedder;
  return { document: embedded, policies, problems, unchecked: [...unchecked] };
}

/** Where a reference stands, and what it says. */
interface Reference {
  readonly text: string;
  readonly place: string;
  readonly name: string;
  readonly part: string | undefined;
}

class Embedder {
  readonly policies = new Map<string, Uint8Array>();
  readonly problems: Problem[] = [];
  readonly unchecked = new Set<string>();
  private readonly root: Readonly<Record<string, unknown>>;
  private readonly lookup: ImportLookup;
  private readonly lookedUp = new Map<string, Promise<LookedUpImport | null>>();

  constructor(document: unknown, lookup: ImportLookup) {
    this.root = (typeof document === 'object' ? document : null) as Record<string, unknown>;
    this.lookup = lookup;
  }

  async embed(value: unknown, place: string): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => this.embed(item, `${place}[${index}]`)));
    const record = value as Record<string, unknown>;
    const named = record['kind'] === 'policy' ? referenceIn(record['name'], `${place}.name`) : null;
    if (named !== null) {
      const artifact = await this.policyOf(named);
      const others = Object.entries(record).filter(([key]) => key !== 'name');
      return artifact === null ? value : { ...Object.fromEntries(others), artifact };
    }
    const entries = Object.entries(record).map(async ([key, inner]) => {
      const at = place === '' ? key : `${place}.${key}`;
      const start = at.endsWith('scenarios.start') ? referenceIn(inner, at) : null;
      return [key, start === null ? await this.embed(inner, at) : ((await this.startOf(start)) ?? inner)] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Names of the starts of an import; null where it is not there, which is told later, or nobody can be asked. */
  async startNames(reference: string): Promise<readonly string[] | null> {
    const { name } = referenceIn(reference, '')!;
    return (await this.answerOf(name))?.found?.starts.map((start) => start.name) ?? null;
  }

  /** @returns the hash of a policy; null after telling what is wrong */
  private async policyOf(reference: Reference): Promise<string | null> {
    const made = await this.importOf(reference);
    if (made === null) return null;
    if (made === 'unknown') return standInPolicy(reference.text);
    const seats = made.partners.map(({ seat }) => String(seat));
    const partner =
      reference.part === undefined && made.partners.length === 1
        ? made.partners[0]
        : made.partners.find(({ seat }) => String(seat) === reference.part);
    if (partner === undefined) return this.noSuchPart(reference, 'partner', seats);
    this.policies.set(partner.artifact, await this.lookup.policy(partner.artifact));
    return partner.artifact;
  }

  private async startOf(reference: Reference): Promise<unknown> {
    const made = await this.importOf(reference);
    if (made === null) return null;
    if (made === 'unknown') return standInStart(this.root, reference.text);
    const start = made.starts.find(({ name }) => name === reference.part);
    if (start !== undefined) return start.start;
    const names = made.starts.map(({ name }) => name);
    return this.noSuchPart(reference, 'start', names);
  }

  /** @returns null after telling what is wrong; `unknown` where nobody can be asked */
  private async importOf(reference: Reference): Promise<Import | 'unknown' | null> {
    const { name, text, place } = reference;
    const answer = await this.answerOf(name);
    if (answer === null) {
      this.unchecked.add(text);
      return 'unknown';
    }
    const { found } = answer;
    if (found === null) return this.complain(reference, `no import is called "${name}"`, 'import', answer.known);
    const { family = found.family } = this.root;
    if (family === found.family) return found;
    this.problems.push({
      code: 'REQUEST_INVALID_SPEC',
      path: place,
      found: `"${text}", of the family ${found.family}`,
      expected: `an import of the family ${String(family)}`,
      remedy: '`thaw import list` shows the family of each.',
    });
    return null;
  }

  private answerOf(name: string): Promise<LookedUpImport | null> {
    const known = this.lookedUp.get(name) ?? this.lookup.find(name);
    this.lookedUp.set(name, known);
    return known;
  }

  private noSuchPart(reference: Reference, what: 'partner' | 'start', names: readonly string[]): null {
    const { name, part } = reference;
    return this.complain(
      reference,
      `import:${name} has no ${what} ${part === undefined ? 'of its own' : `"${part}"`}`,
      what,
      names,
    );
  }

  private complain(reference: Reference, why: string, what: string, names: readonly string[]): null {
    const { text, place, name, part } = reference;
    const wanted = what === 'import' ? name : (part ?? '');
    const nearest = nearestName(wanted, names);
    const shown = names.slice(0, SHOWN_MAX).join(', ') + (names.length > SHOWN_MAX ? ', …' : '');
    this.problems.push({
      code: 'REQUEST_INVALID_SPEC',
      path: place,
      found: `"${text}": ${why}`,
      expected: names.length === 0 ? `one of its ${what}s, of which there is none` : `one of the ${what}s ${shown}`,
      ...(nearest !== undefined && { nearest }),
      remedy: what === 'import' ? '`thaw import list` shows what there is.' : `See \`thaw import show ${name}\`.`,
    });
    return null;
  }
}

const SHOWN_MAX = 8;

function referenceIn(value: unknown, place: string): Reference | null {
  if (typeof value !== 'string') return null;
  const found = REFERENCE.exec(value);
  return found === null ? null : { text: value, place, name: found[1]!, part: found[2] };
}
