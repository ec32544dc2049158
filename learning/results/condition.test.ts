import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds, isOperator, operandProblem, OPERATORS, splitCondition, type Condition } from './condition.ts';

const condition = (text: string): Condition => {
  const written = splitCondition(text)!;
  if (!isOperator(written.operator)) throw new Error(`no operator in ${text}`);
  return { ...written, operator: written.operator };
};
const isTrue = (cell: Parameters<typeof holds>[0], text: string) => holds(cell, condition(text));

describe('a condition', () => {
  it('has a column, an operator and a value, with or without spaces between', () => {
    for (const operator of OPERATORS) {
      const parts = { column: 'heldout_return', operator, operand: '-40.5' };
      expect(splitCondition(`heldout_return${operator}-40.5`)).toEqual(parts);
      expect(splitCondition(` heldout_return ${operator}  -40.5 `)).toEqual(parts);
    }
    expect(splitCondition('reason=')).toEqual({ column: 'reason', operator: '=', operand: '' });
    expect(splitCondition('variant=a=b')).toMatchObject({ column: 'variant', operand: 'a=b' });
  });

  it('is none without an operator or a column, and keeps an operator that there is not', () => {
    expect(splitCondition('heldout_return')).toBeNull();
    expect(splitCondition('>3')).toBeNull();
    expect(splitCondition('seed=>3')!.operator).toBe('=>');
    expect(isOperator('=>')).toBe(false);
  });
});

describe('what a condition holds of', () => {
  it('is for numbers what the operator says, infinite ones included', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (cell, operand) => {
        const held = OPERATORS.filter((operator) => isTrue(cell, `x${operator}${operand}`));
        const expected = cell < operand ? ['!=', '<', '<='] : cell > operand ? ['!=', '>', '>='] : ['=', '<=', '>='];
        expect(held).toEqual(expected);
      }),
    );
  });

  it('tells NaN and what is not measured apart', () => {
    expect(isTrue(NaN, 'x=NaN')).toBe(true);
    expect(isTrue(3, 'x=NaN')).toBe(false);
    expect(isTrue(null, 'x=NaN')).toBe(false);
    expect(isTrue(null, 'x=null')).toBe(true);
    expect(isTrue(NaN, 'x!=null')).toBe(true);
    expect(isTrue(NaN, 'x!=3')).toBe(true);
    expect(isTrue(null, 'x!=3')).toBe(true);
    for (const operator of ['<', '<=', '>', '>=']) {
      expect(isTrue(NaN, `x${operator}0`)).toBe(false);
      expect(isTrue(null, `x${operator}0`)).toBe(false);
    }
  });

  it('is of texts what a pattern stands for, and every other character for itself', () => {
    expect(isTrue('pool_maddpg', 'variant=pool*')).toBe(true);
    expect(isTrue('pool', 'variant=pool')).toBe(true);
    expect(isTrue('a pool', 'variant=pool*')).toBe(false);
    expect(isTrue('pool', 'variant!=p??l')).toBe(false);
    expect(isTrue('specialistXfar', 'variant=specialist.far')).toBe(false);
    expect(isTrue('two\nlines', 'reason=two*')).toBe(true);
    expect(isTrue(true, 'rise_then_fall=true')).toBe(true);
  });
});

describe('what cannot be meant', () => {
  it('is told by what stands in the column', () => {
    expect(operandProblem([null, 3], condition('seed=three'))).toContain('"three"');
    expect(operandProblem(['pool'], condition('variant<pool'))).toContain('= and !=');
    expect(operandProblem([false], condition('rise_then_fall=1'))).toContain('true or false');
    expect(operandProblem([3], condition('seed<null'))).toContain('seed=null');
  });

  it('is nothing else, and of an empty column nobody knows', () => {
    for (const operand of ['3', '-4e1', '.5', 'NaN', '-Infinity', 'null']) {
      expect(operandProblem([null, 3], condition(`x!=${operand}`))).toBeNull();
    }
    expect(operandProblem([null], condition('x<three'))).toBeNull();
    expect(operandProblem(['pool'], condition('variant=3'))).toBeNull();
  });
});
