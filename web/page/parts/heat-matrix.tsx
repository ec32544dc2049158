import type { ComponentChildren } from 'preact';
import { extentOf, heatLook, shareOf } from './heat.ts';
import { HeatLegend } from './heat-legend.tsx';
import { alikeText } from './number-text.ts';

interface MatrixProps {
  readonly caption: string;
  /** What the rows and the columns are, as in "policy of". */
  readonly corner: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row; null where nothing was measured. */
  readonly values: readonly (readonly (number | null)[])[];
  /** What stands below a value, such as its n. */
  readonly note?: (row: number, column: number) => ComponentChildren;
}

/** Values by row and column, coloured by how large they are and written out. */
export function HeatMatrix({ caption, corner, rows, columns, values, note }: MatrixProps) {
  const extent = extentOf(values.flat());
  const text = alikeText(values.flat());
  return (
    <>
      <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
        <table class="heat-table">
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              <th scope="col" class="pinned">
                {corner}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" class="number">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={row}>
                <th scope="row" class="pinned">
                  {row}
                </th>
                {columns.map((column, columnIndex) => {
                  const value = values[rowIndex]?.[columnIndex] ?? null;
                  const { class: look, style } = heatLook(extent === null ? null : shareOf(value, extent));
                  return (
                    <td key={column} class={`number ${look}`} style={style}>
                      {text(value)} {value !== null && note?.(rowIndex, columnIndex)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <HeatLegend extent={extent} />
    </>
  );
}
