import type { Cell } from './column.ts';

/** How a cell is compared. */
export const OPERATORS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/** What must hold of a row: `heldout_return>-40`, `variant=pool*`, `verdict=null`. */
export interface Condition {
  readonly column: string;
  readonly operator: Operator;
  readonly operand: string;
}

/** A condition as it was written; its operator may be none that there is. */
export interface WrittenCondition extends Omit<Condition, 'operator'> {
  readonly operator: string;
}

/** The parts of a condition; null where the text has no operator, or no column before it. */
export function splitCondition(text: string): WrittenCondition | null {
  const parts = /^\s*([^\s=!<>~]+)\s*([=!<>~]+)\s*(.*?)\s*$/s.exec(text);
  return parts === null ? null : { column: parts[1]!, operator: parts[2]!, operand: parts[3]! };
}

export function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}

/** What an operand that stands for something not measured is written as. */
const MISSING = 'null';
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^[+-]?Infinity$|^NaN$/i;

/**
 * Why a condition cannot be meant, by what stands in its column; null where it can. Of a column in which nothing was
 * measured nobody knows.
 */
export function operandProblem(cells: readonly Cell[], { column, operator, operand }: Condition): string | null {
  const isOrder = operator !== '=' && operator !== '!=';
  if (operand === MISSING)
    return isOrder ? `${column} is measured or not: write ${column}=null or ${column}!=null` : null;
  const sample = cells.find((cell) => cell !== null);
  if (typeof sample === 'number' && !NUMBER.test(operand)) return `${column} is a number, and "${operand}" is none`;
  if (typeof sample === 'boolean' && (isOrder || !['true', 'false'].includes(operand)))
    return `${column} is true or false: write ${column}=true or ${column}=false`;
  if (typeof sample === 'string' && isOrder) return `${column} is text, which is compared by = and != alone`;
  return null;
}

/**
 * Whether a cell is as a condition wants it. What is not measured is only equal to `null`, and different from all else;
 * NaN is equal to NaN, different from every number, and neither less nor more than one. In texts `*` stands for any text
 * and `?` for any character.
 */
export function holds(cell: Cell, { operator, operand }: Pick<Condition, 'operator' | 'operand'>): boolean {
  switch (operator) {
    case '=':
      return isEqual(cell, operand);
    case '!=':
      return !isEqual(cell, operand);
    case '<':
      return typeof cell === 'number' && cell < Number(operand);
    case '<=':
      return typeof cell === 'number' && cell <= Number(operand);
    case '>':
      return typeof cell === 'number' && cell > Number(operand);
    case '>=':
      return typeof cell === 'number' && cell >= Number(operand);
  }
}

function isEqual(cell: Cell, operand: string): boolean {
  if (cell === null || operand === MISSING) return cell === null && operand === MISSING;
  if (typeof cell !== 'number') return patternFrom(operand).test(String(cell));
  const wanted = Number(operand);
  return Number.isNaN(wanted) ? Number.isNaN(cell) : cell === wanted;
}

function patternFrom(glob: string): RegExp {
  const literal = glob.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`, 's');
}
