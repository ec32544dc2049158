import { go, placeWith, usePlace } from '../router.ts';

const KEY = 'thaw-hidden-columns';
const DEFAULT = 'seed,attempts,finished_at';

/** Which columns are hidden: as the address says, otherwise as they were left. */
export function useHidden(): [hidden: ReadonlySet<string>, hide: (hidden: ReadonlySet<string>) => void] {
  const { query } = usePlace();
  const text = query.get('hide') ?? recall() ?? DEFAULT;
  const hide = (hidden: ReadonlySet<string>) => {
    const next = [...hidden].join(',');
    remember(next);
    go(placeWith({ hide: next }), 'replace');
  };
  return [new Set(text.split(',').filter((key) => key !== '')), hide];
}

function recall(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** A browser may forbid to keep anything: the address still holds it. */
function remember(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    return;
  }
}
