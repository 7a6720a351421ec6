import { createHash } from 'node:crypto';

import type { CatalogTool, ServerName } from '../core/index.js';

/** Clients drop tools with longer names. */
const MAX_LENGTH = 64;
const SEPARATOR = '__';

/** The name of a server's tool or prompt as the client sees it. */
export function exposedName(server: string, name: string, isAlone: boolean): string {
  if (isAlone && name.length <= MAX_LENGTH) return name;
  const whole = `${server}${SEPARATOR}${name}`;
  return whole.length <= MAX_LENGTH ? whole : hashedName(server, name);
}

function hashedName(server: string, name: string): string {
  const hash = createHash('sha256').update(`${server}:${name}`).digest('hex').slice(0, 8);
  return `${`${server}${SEPARATOR}${name}`.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

export interface Named {
  readonly server: string;
  readonly name: string;
}

/** A tool that clients may see. */
export interface ViewTool extends Named {
  readonly server: ServerName;
  readonly tool: CatalogTool;
}

/**
 * Finds items by the names that clients use: the exposed name, `server__name`, `server:name`, and
 * the bare name if it is unique. Exposed names win, so no server can shadow another. Reserved names
 * belong to PML: a server's item with such a name has qualified names only.
 */
export class NameTable<T extends Named> {
  readonly #exposed = new Map<string, T>();
  readonly #others = new Map<string, T | undefined>();
  readonly #names = new Map<string, string>();

  constructor(
    items: readonly T[],
    isAlone: boolean,
    isReserved: (name: string) => boolean = () => false,
  ) {
    const plainName = ({ server, name }: Named) =>
      exposedName(server, name, isAlone && !isReserved(name));
    const taken = countNames(items.map(plainName));
    for (const item of items) {
      const { server, name } = item;
      const plain = plainName(item);
      // `a_` + `b` and `a` + `_b` would be one name: then neither gets it, whatever their order.
      const exposed = (taken.get(plain) ?? 0) > 1 ? hashedName(server, name) : plain;
      this.#names.set(`${server}:${name}`, exposed);
      this.#exposed.set(exposed, item);
      this.#others.set(`${server}${SEPARATOR}${name}`, item);
      this.#others.set(`${server}:${name}`, item);
    }
    for (const item of items) {
      if (isReserved(item.name)) continue;
      const isTaken = this.#others.has(item.name);
      this.#others.set(item.name, isTaken ? this.#keepIfQualified(item.name) : item);
    }
  }

  nameOf(item: T): string {
    return this.#names.get(`${item.server}:${item.name}`) ?? item.name;
  }

  find(name: string): T | undefined {
    return this.#exposed.get(name) ?? this.#others.get(name);
  }

  /** A bare name two servers share means nothing, unless it happens to be a qualified one. */
  #keepIfQualified(name: string): T | undefined {
    const item = this.#others.get(name);
    return item && item.name !== name ? item : undefined;
  }
}

function countNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
