import type { Capability } from '../core/index.js';

/** Capabilities in memory, found by name, former name and identity. No two share any of these names. */
export class Shelf {
  readonly #byName = new Map<string, Capability>();
  /** Former names. */
  readonly #aliases = new Map<string, string>();
  readonly #identities = new Map<string, string>();

  all(): readonly Capability[] {
    return [...this.#byName.values()];
  }

  /** By its name or one it had before. */
  find(name: string): Capability | undefined {
    return this.#byName.get(name) ?? this.#byName.get(this.#aliases.get(name) ?? '');
  }

  /** The one that has a version of this identity. */
  withIdentity(identity: string): Capability | undefined {
    return this.#byName.get(this.#identities.get(identity) ?? '');
  }

  put(capability: Capability): void {
    this.delete(capability.name);
    this.#byName.set(capability.name, capability);
    for (const alias of capability.aliases) this.#aliases.set(alias, capability.name);
    for (const { identity } of [...capability.others, capability.current]) {
      this.#identities.set(identity, capability.name);
    }
  }

  delete(name: string): void {
    const known = this.#byName.get(name);
    if (!known) return;
    this.#byName.delete(name);
    for (const alias of known.aliases) unset(this.#aliases, alias, name);
    for (const { identity } of [...known.others, known.current]) {
      unset(this.#identities, identity, name);
    }
  }
}

function unset(map: Map<string, string>, key: string, value: string): void {
  if (map.get(key) === value) map.delete(key);
}
