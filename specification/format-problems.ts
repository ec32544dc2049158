import type { Problem } from '../schemas/problem.ts';

/** Problems of one file as text for people: where, what stands there, what could, and what to do. */
export function formatProblems(fileName: string, problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return [`${fileName}: ${count}`, ...problems.map(formatProblem)].join('\n\n');
}

function formatProblem({ code, path, variant, found, expected, nearest, remedy }: Problem): string {
  const place = path === '' ? 'the document' : path;
  const lines = [
    `  ${place}${variant === undefined || path.startsWith('variants') ? '' : ` (variant ${variant})`}  [${code}]`,
    `    found     ${found}`,
    `    expected  ${expected}`,
    ...(nearest === undefined ? [] : [`    did you mean "${nearest}"?`]),
    `    remedy    ${remedy}`,
  ];
  return lines.join('\n');
}
