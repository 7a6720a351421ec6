/** Deep links in the hash: `#/runs/run_1?step=a`. The daemon serves one page for all of them. */
import { signal } from '@preact/signals';

export interface Route {
  /** Decoded, such as `['runs', 'run_1']`; empty for the overview. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s, 2);
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The link to a route; parameters without a value are left out. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

/** A link that the user typed may contain a lone percent sign. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const start = typeof location === 'undefined' ? '' : location.hash;

export const route = signal<Route>(parseRoute(start));

export function followHash(): void {
  addEventListener('hashchange', () => {
    route.value = parseRoute(location.hash);
  });
}

export function goTo(
  path: readonly string[],
  query?: Readonly<Record<string, string | undefined>>,
) {
  location.hash = linkTo(path, query);
}

/** Changes parameters of the current view without a new history entry. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = route.value;
  const link = linkTo(path, { ...query, ...changes });
  history.replaceState(null, '', link);
  route.value = parseRoute(link);
}
