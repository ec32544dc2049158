import { useEffect, useState } from 'preact/hooks';

/** Where the page is: what stands in the address. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const movers = new Set<() => void>();
const readPlace = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

window.addEventListener('popstate', tell);

function tell(): void {
  for (const move of [...movers]) move();
}

/** Goes to an address within the page. What is typed or dragged replaces the address, so that back leaves it in one step. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (to === location.pathname + location.search) return;
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  tell();
}

/** The place, kept up to date. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const move = () => setPlace(readPlace());
    movers.add(move);
    move();
    return () => void movers.delete(move);
  }, []);
  return place;
}

/** A part of the query and how to change it; what equals the fallback is left out of the address. */
export function useQuery(
  name: string,
  fallback = '',
): [value: string, set: (value: string, how?: 'push' | 'replace') => void] {
  const { query } = usePlace();
  return [
    query.get(name) ?? fallback,
    (value, how = 'push') => go(placeWith({ [name]: value === fallback ? null : value }), how),
  ];
}

/** The present address with parts of its query changed; null removes one. */
export function placeWith(changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? location.pathname : `${location.pathname}?${text}`;
}

/** The values of `:name` parts where the path has the form of the pattern, otherwise null. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index]!);
    if (value === null) return null;
    if (part.startsWith(':')) values[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return values;
}

/** Null for what no browser writes: a lone percent sign. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
