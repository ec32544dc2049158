import type { ComponentChildren } from 'preact';
import { go } from '../router.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  readonly tabIndex?: number;
  /** Whether it leads to where one is. */
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A real link that stays within the page, unless a new tab is asked for. */
export function Link({ to, isCurrent = false, children, ...attributes }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} aria-current={isCurrent ? 'page' : undefined} {...attributes}>
      {children}
    </a>
  );
}
