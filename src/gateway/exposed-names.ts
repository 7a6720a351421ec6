import { createHash } from 'node:crypto';

/** Clients drop tools with longer names. */
const MAX_LENGTH = 64;
const SEPARATOR = '__';

/** What the client calls a thing of a server. */
export function exposedName(server: string, name: string, isAlone: boolean): string {
  if (isAlone && name.length <= MAX_LENGTH) return name;
  const whole = `${server}${SEPARATOR}${name}`;
  if (whole.length <= MAX_LENGTH) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${whole.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

export interface Named {
  readonly server: string;
  readonly name: string;
}

/**
 * Finds things by the names clients use: the exposed one, `server__name`, `server:name`, and the
 * bare one where it is unique. Exposed names win, so no server can shadow another one's.
 */
export class NameTable<T extends Named> {
  readonly #exposed = new Map<string, T>();
  readonly #others = new Map<string, T | undefined>();
  readonly #isAlone: boolean;

  constructor(items: readonly T[], isAlone: boolean) {
    this.#isAlone = isAlone;
    for (const item of items) {
      const { server, name } = item;
      this.#exposed.set(this.nameOf(item), item);
      this.#others.set(`${server}${SEPARATOR}${name}`, item);
      this.#others.set(`${server}:${name}`, item);
    }
    for (const item of items) {
      const isTaken = this.#others.has(item.name);
      this.#others.set(item.name, isTaken ? this.#keepIfQualified(item.name) : item);
    }
  }

  nameOf(item: T): string {
    return exposedName(item.server, item.name, this.#isAlone);
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
