import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** What a chart shows, as text: unfolded on demand and only then built. */
export function AsTable({ children }: { readonly children: () => ComponentChildren }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="as-table" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && children()}
    </details>
  );
}
