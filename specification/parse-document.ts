import type { Problem } from '../schemas/problem.ts';
import { problemFrom, type Finding } from './finding.ts';
import type { Path } from './path.ts';

export type ParsedDocument =
  { readonly ok: true; readonly document: unknown } | { readonly ok: false; readonly problems: readonly Problem[] };

const DEPTH_MAX = 64;
const SPACE = /[ \t\n\r]*/y;
const LINE_END = /[\n\r]|$/g;
const LITERAL =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** The zero byte, and halves of characters beyond 16 bits. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Carries what could not be read to the one place that reports it. */
class SyntaxProblem extends Error {
  readonly offset: number;
  readonly expected: string;
  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
  }
}

/**
 * Reads JSON, in which `// …` and comments between slash and asterisk may stand wherever space may: people explain their
 * experiments in them, and nothing of them is kept. `JSON.parse` keeps the last of two equal keys without a word, so that one of two variants of the same
 * name would vanish; here that is a problem, and so is `__proto__`, which no experiment needs.
 */
export function parseDocument(text: string): ParsedDocument {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const findings: Finding[] = [];
  try {
    const reader = new JsonReader(source, findings);
    const document = reader.readDocument();
    return findings.length === 0 ? { ok: true, document } : { ok: false, problems: findings.map(problemFrom) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, problems: [...findings, syntaxFinding(source, error)].map(problemFrom) };
  }
}

function syntaxFinding(source: string, { offset, expected }: SyntaxProblem): Finding {
  const lines = source.slice(0, offset).split('\n');
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
  const found =
    offset >= source.length
      ? 'the end of the file'
      : JSON.stringify(source.slice(offset).split('\n', 1)[0]!.slice(0, 24));
  return {
    code: 'REQUEST_NOT_JSON',
    path: [],
    found: `${found} at ${place}`,
    expected,
    remedy: 'Correct the syntax there; names stand in double quotes, and no comma stands before a closing bracket.',
  };
}

class JsonReader {
  private readonly source: string;
  private readonly findings: Finding[];
  private offset = 0;

  constructor(source: string, findings: Finding[]) {
    this.source = source;
    this.findings = findings;
  }

  readDocument(): unknown {
    const value = this.readValue([]);
    this.skipSpace();
    if (this.offset < this.source.length) throw new SyntaxProblem(this.offset, 'the end of the file');
    return value;
  }

  private readValue(path: Path): unknown {
    this.skipSpace();
    if (path.length > DEPTH_MAX) throw new SyntaxProblem(this.offset, `at most ${DEPTH_MAX} levels of nesting`);
    const start = this.source[this.offset];
    if (start === '{') return this.readObject(path);
    if (start === '[') return this.readArray(path);
    return this.readScalar(path);
  }

  private readScalar(path: Path): unknown {
    const first = this.offset;
    const value = this.readLiteral(path.length === 0 ? 'a value; an experiment begins with "{"' : 'a value');
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const found = this.source.slice(first, this.offset);
      const remedy = 'Write a smaller number.';
      this.findings.push({ path, found, expected: `a number of at most ${Number.MAX_VALUE}`, remedy });
    }
    if (typeof value === 'string') this.checkText(path, value);
    // A spec is stored as JSON, which writes −0 as 0: what is read back must be what was read.
    return value === 0 ? 0 : value;
  }

  private readObject(path: Path): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    this.offset += 1;
    if (this.accept('}')) return result;
    do {
      this.skipSpace();
      if (this.source[this.offset] !== '"') throw new SyntaxProblem(this.offset, 'a key in double quotes');
      const key = this.readLiteral('a key in double quotes') as string;
      if (!this.accept(':')) throw new SyntaxProblem(this.offset, 'a colon after the key');
      const value = this.readValue([...path, key]);
      this.checkKey(result, path, key);
      if (key !== '__proto__') result[key] = value;
    } while (this.accept(','));
    if (!this.accept('}')) throw new SyntaxProblem(this.offset, 'a comma or the end of the object, "}"');
    return result;
  }

  private readArray(path: Path): unknown[] {
    const result: unknown[] = [];
    this.offset += 1;
    if (this.accept(']')) return result;
    do result.push(this.readValue([...path, result.length]));
    while (this.accept(','));
    if (!this.accept(']')) throw new SyntaxProblem(this.offset, 'a comma or the end of the array, "]"');
    return result;
  }

  private readLiteral(expected: string): unknown {
    LITERAL.lastIndex = this.offset;
    const match = LITERAL.exec(this.source);
    if (match === null) throw new SyntaxProblem(this.offset, expected);
    this.offset = LITERAL.lastIndex;
    return JSON.parse(match[0]) as unknown;
  }

  private checkKey(object: Record<string, unknown>, path: Path, key: string): void {
    if (key === '__proto__') {
      const remedy = 'Choose another name.';
      this.findings.push({ path: [...path, key], found: 'the key "__proto__"', expected: 'any other key', remedy });
    }
    this.checkText([...path, key], key);
    if (!Object.hasOwn(object, key)) return;
    const found = `the key ${JSON.stringify(key)} twice`;
    const remedy = 'Rename one of the two, or remove it: the second would replace the first.';
    this.findings.push({ path: [...path, key], found, expected: 'every key once', remedy });
  }

  /** Databases and file names hold neither. */
  private checkText(path: Path, text: string): void {
    if (!UNSTORABLE.test(text)) return;
    const found = `${JSON.stringify(text)}, with a zero byte or half a character`;
    this.findings.push({
      path,
      found,
      expected: 'text',
      remedy: 'Remove \\u0000, and halves from \\ud800 to \\udfff that stand alone.',
    });
  }

  private accept(character: string): boolean {
    this.skipSpace();
    if (this.source[this.offset] !== character) return false;
    this.offset += 1;
    return true;
  }

  /** Space and comments. */
  private skipSpace(): void {
    do {
      SPACE.lastIndex = this.offset;
      SPACE.exec(this.source);
      this.offset = SPACE.lastIndex;
    } while (this.skipComment());
  }

  /** @returns whether there was one */
  private skipComment(): boolean {
    if (this.source.startsWith('//', this.offset)) {
      LINE_END.lastIndex = this.offset;
      this.offset = LINE_END.exec(this.source)!.index;
      return true;
    }
    if (!this.source.startsWith('/*', this.offset)) return false;
    const end = this.source.indexOf('*/', this.offset + 2);
    if (end === -1) throw new SyntaxProblem(this.offset, 'the end of the comment, "*/"');
    this.offset = end + 2;
    return true;
  }
}
