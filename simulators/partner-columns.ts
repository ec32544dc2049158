import type { ParameterColumns } from './parameter-columns.ts';

/** The habits of the scripted partner of one seat in a world of cells, each [B]. */
export interface PartnerColumns {
  readonly name: Float64Array;
  readonly epsilon: Float64Array;
  readonly lateness: Float64Array;
  readonly speed: Float64Array;
  /** By action: its weight where an action is drawn. */
  readonly actionBias: readonly Float64Array[];
}

/** @param seatCount of the world @param actionCount of each seat */
export function partnerColumns(columns: ParameterColumns, seatCount: number, actionCount: number): PartnerColumns[] {
  return Array.from({ length: seatCount }, (_, seat) => {
    const column = (part: string): Float64Array => columns.column(`partners.${seat}.${part}`);
    return {
      name: column('name'),
      epsilon: column('epsilon'),
      lateness: column('lateness'),
      speed: column('speed'),
      actionBias: Array.from({ length: actionCount }, (__, action) => column(`action_bias.${action}`)),
    };
  });
}
