/** `auto` follows the system. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'thaw-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();

dark.addEventListener('change', tell);

function tell(): void {
  for (const watcher of [...watchers]) watcher();
}

export function themeNow(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'auto';
}

/** Colours are in the style sheet, under `data-theme` and the system's preference. */
export function setTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  remember(theme);
  tell();
}

/** Sets what was chosen before. */
export function restoreTheme(): void {
  const kept = recall();
  if (kept === 'light' || kept === 'dark') setTheme(kept);
}

/** Calls back when colours change: what is drawn on a canvas has to be drawn again. */
export function onTheme(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

let probe: HTMLElement | null = null;

/** A colour of the style sheet as it is now, for a canvas, which knows no variables: `rgb(…)`. */
export function colorNow(name: string): string {
  probe ??= document.body.appendChild(document.createElement('span'));
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/** The same colour, seen through. */
export const withOpacity = (color: string, opacity: number): string =>
  color.replace(/^rgba?\((.*)\)$/, `rgba($1, ${opacity})`);

function recall(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** A browser may forbid to keep anything: the choice then holds until the page is left. */
function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}
