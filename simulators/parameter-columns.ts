import { ThawError } from '../schemas/errors.ts';
import type { Parameter } from './contract.ts';

// B environments, P parameters.

/** The parameters of B environments as a struct of arrays: one column, shape [B], for each parameter. */
export class ParameterColumns {
  private readonly columns: readonly Float64Array[];
  private readonly byPath: ReadonlyMap<string, Float64Array>;
  /** Indices of the parameters that only whole numbers make sense for. */
  private readonly whole: readonly number[];

  constructor(environmentCount: number, parameters: readonly Parameter[]) {
    this.columns = parameters.map(() => new Float64Array(environmentCount));
    this.byPath = new Map(parameters.map(({ path }, index) => [path, this.columns[index]!]));
    this.whole = parameters.flatMap(({ kind }, index) => (kind === 'real' ? [] : [index]));
  }

  /** The column of a path, shape [B]; it stays the same array. @throws DEFECT_INVARIANT for an unknown path */
  column(path: string): Float64Array {
    const column = this.byPath.get(path);
    if (column === undefined) throw new ThawError('DEFECT_INVARIANT', `there is no parameter ${path}`);
    return column;
  }

  /**
   * Copies the parameter vector of one environment.
   * @param vector shape [P]
   * @throws DEFECT_SHAPE_MISMATCH when its length is another
   * @throws DEFECT_INVARIANT when the number of an integer or a choice is not whole
   */
  load(environment: number, vector: Float64Array): void {
    const { columns } = this;
    if (vector.length !== columns.length) {
      throw new ThawError('DEFECT_SHAPE_MISMATCH', `${vector.length} parameters given, ${columns.length} expected`);
    }
    for (const index of this.whole) {
      if (!Number.isInteger(vector[index])) {
        throw new ThawError('DEFECT_INVARIANT', `parameter ${index} is ${vector[index]}, which is not whole`);
      }
    }
    for (let index = 0; index < columns.length; index += 1) columns[index]![environment] = vector[index]!;
  }
}
