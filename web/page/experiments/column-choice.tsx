import type { ComponentChildren } from 'preact';

interface ColumnChoiceProps {
  readonly columns: readonly { readonly key: string; readonly title: ComponentChildren; readonly isPinned?: boolean }[];
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (hidden: ReadonlySet<string>) => void;
}

/** Which columns are shown; the first ones always are. */
export function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    onHide(next);
  };
  return (
    <details class="columns">
      <summary>Columns</summary>
      <fieldset>
        <legend class="unseen">Columns that are shown</legend>
        {columns.map(
          ({ key, title, isPinned = false }) =>
            !isPinned && (
              <label key={key}>
                <input type="checkbox" checked={!hidden.has(key)} onChange={() => toggle(key)} /> {title}
              </label>
            ),
        )}
      </fieldset>
    </details>
  );
}
