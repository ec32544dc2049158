import type { ErrorEntry, ErrorKind } from '../../schemas/error-catalogue.ts';

const KINDS: readonly {
  readonly kind: ErrorKind;
  readonly title: string;
  readonly exit: number;
  readonly who: string;
}[] = [
  { kind: 'request', title: 'The request is wrong', exit: 2, who: 'Whoever wrote the request can mend it.' },
  { kind: 'world', title: 'The world failed', exit: 3, who: 'Time, or whoever looks after the machine, can mend it.' },
  { kind: 'defect', title: 'Thaw is wrong', exit: 1, who: 'Only a programmer of Thaw can mend it: please report it.' },
];

/** The page on all error codes, as Markdown. */
export function errorPage(catalogue: Readonly<Record<string, ErrorEntry>>): string {
  const sections = KINDS.map(({ kind, title, exit, who }) => {
    const rows = Object.entries(catalogue)
      .filter(([, entry]) => entry.kind === kind)
      .map(([code, { message, remedy }]) => `| \`${code}\` | ${cell(message)} | ${cell(remedy)} |`);
    return [`## ${title} (exit code ${exit})`, '', who, '', '| code | what | what to do |', '|--|--|--|', ...rows].join(
      '\n',
    );
  });
  const note = 'Generated from `schemas/error-catalogue.ts` by `npm run generate`; do not edit it by hand.';
  return `${['# Errors', note, ...sections].join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
