import { canonicalJson, type JsonValue, nameParts } from '../../core/index.js';

/** Gives out names for parameters: the same for the same thing, never one twice. */
export class ParameterNames {
  readonly #taken: Set<string>;
  readonly #known = new Map<string, string>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** A name for a value; `wishes` are tried in order, then the first one with a number. */
  give(value: JsonValue, wishes: readonly string[]): string {
    const names = wishes.map(asIdentifier).filter((name) => name !== '');
    const same = names
      .map((name) => this.#known.get(`${name} ${canonicalJson(value)}`))
      .find((name) => name !== undefined);
    if (same !== undefined) return same;
    const first = names[0] ?? 'value';
    const free = names.find((name) => !this.#taken.has(name)) ?? this.#numbered(first);
    this.#taken.add(free);
    this.#known.set(`${first} ${canonicalJson(value)}`, free);
    return free;
  }

  #numbered(name: string): string {
    let number = 2;
    while (this.#taken.has(`${name}${number}`)) number += 1;
    return `${name}${number}`;
  }
}

/** Names that fit anything say nothing of what a value is. */
const VAGUE = new Set(
  'content data input item key name path q query string term text title to value'.split(' '),
);

/** Of several lists of names, the last of each a makeshift: those that say what a value is first. */
export function tellingFirst(lists: readonly (readonly string[])[]): readonly string[] {
  const names = lists.flatMap((list) => list.slice(0, -1));
  const isVague = (name: string) => VAGUE.has(name.toLowerCase());
  return [
    ...names.filter((name) => !isVague(name)),
    ...names.filter(isVague),
    ...lists.flatMap((list) => list.slice(-1)),
  ];
}

/** `city` → `cities`; a name that is one of many already stays as it is. */
export function pluralOf(name: string): string {
  if (/s$/i.test(name)) return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}

/** `X-Api-Key` → `xApiKey`; names that are identifiers already stay as they are. */
function asIdentifier(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__') return name;
  const parts = nameParts(name).filter((part) => /^[a-z0-9]+$/i.test(part));
  const joined = parts
    .map((part, index) => {
      const word = part.toLowerCase();
      return index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join('');
  return /^\d/.test(joined) ? `value${joined}` : joined;
}
