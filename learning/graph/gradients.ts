import { ThawError } from '../../schemas/errors.ts';
import type { Expression, OperatorName, Shape } from './expression.ts';
import { GRADIENT_RULES, type GradientRule, type PartialGradient } from './gradient-rules.ts';
import { add, concat, constant } from './operators.ts';
import { sizeOf } from './shapes.ts';

type Contribution = Expression | PartialGradient;

/**
 * Reverse mode: ∂loss/∂x for each x, as expressions of x's shape.
 *
 * A vector that is only ever sliced (parameters in one flat vector) gets its gradient as one concatenation of the pieces'
 * gradients, never as a sum of padded ones.
 *
 * @param loss a scalar of type float32
 * @param wrt expressions the loss may depend on, by identity; where it does not, the gradient is a constant 0
 * @throws DEFECT_SHAPE_MISMATCH when the loss is no scalar
 */
export function gradients(loss: Expression, wrt: readonly Expression[]): Expression[] {
  if (sizeOf(loss.shape) !== 1) {
    throw new ThawError('DEFECT_SHAPE_MISMATCH', `gradients: the loss is [${loss.shape.join(', ')}], not a scalar`);
  }
  const targets = new Set(wrt);
  const order = dependentNodes(loss, targets);
  const isDependent = new Set(order);
  const contributions = new Map<Expression, Contribution[]>([[loss, [constant(1, loss.shape)]]]);
  const results = new Map<Expression, Expression>();
  for (const node of order.reverse()) {
    const upstream = total(contributions.get(node) ?? [], node.shape);
    if (upstream === null) continue;
    if (targets.has(node)) results.set(node, upstream);
    const rule = GRADIENT_RULES[node.op] as GradientRule<OperatorName>;
    rule(node, upstream).forEach((gradient, index) => {
      const source = node.inputs[index]!;
      if (gradient === null || !isDependent.has(source)) return;
      const list = contributions.get(source) ?? [];
      contributions.set(source, [...list, gradient]);
    });
  }
  return wrt.map((each) => results.get(each) ?? constant(0, each.shape));
}

/** What lies between the targets and the loss, inputs first. Without recursion: chains may be long. */
function dependentNodes(loss: Expression, targets: ReadonlySet<Expression>): Expression[] {
  const isDependent = new Map<Expression, boolean>();
  const order: Expression[] = [];
  const stack = [loss];
  while (stack.length > 0) {
    const node = stack.at(-1)!;
    const pending = isDependent.has(node) ? [] : node.inputs.filter((each) => !isDependent.has(each));
    if (pending.length > 0) {
      stack.push(...pending);
      continue;
    }
    stack.pop();
    if (isDependent.has(node)) continue;
    const depends = targets.has(node) || node.inputs.some((each) => isDependent.get(each));
    isDependent.set(node, depends);
    if (depends) order.push(node);
  }
  return order;
}

/** Sum of all contributions to one node; null when there are none. */
function total(contributions: readonly Contribution[], shape: Shape): Expression | null {
  const whole = contributions.filter((each): each is Expression => 'op' in each);
  const partial = contributions.filter((each): each is PartialGradient => !('op' in each));
  const layers = layersOf(partial).map((layer) => assembled(layer, shape));
  const terms = [...whole, ...layers];
  return terms.length === 0 ? null : terms.reduce((sum, term) => add(sum, term));
}

/** Groups pieces so that those of one group do not overlap; almost always there is one group. */
function layersOf(pieces: readonly PartialGradient[]): PartialGradient[][] {
  const layers: PartialGradient[][] = [];
  for (const piece of [...pieces].sort((left, right) => left.start - right.start)) {
    const layer = layers.find((each) => each[0]!.axis === piece.axis && endOf(each.at(-1)!) <= piece.start);
    if (layer) layer.push(piece);
    else layers.push([piece]);
  }
  return layers;
}

function endOf({ start, value, axis }: PartialGradient): number {
  return start + value.shape[axis]!;
}

/** One concatenation of sorted pieces, with zeros in the gaps. */
function assembled(pieces: readonly PartialGradient[], shape: Shape): Expression {
  const { axis } = pieces[0]!;
  const parts: Expression[] = [];
  let end = 0;
  const fillTo = (start: number) => {
    if (start > end) parts.push(constant(0, shape.with(axis, start - end)));
  };
  for (const piece of pieces) {
    fillTo(piece.start);
    parts.push(piece.value);
    end = endOf(piece);
  }
  fillTo(shape[axis]!);
  return concat(parts, axis);
}
