/** Remembers the last text sent under each name. */
export class ChangedTexts {
  readonly #told = new Map<string, string>();

  /** Whether it differs from the last text; it becomes the last text. */
  isNew(name: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if (this.#told.get(name) === text) return false;
    this.#told.set(name, text);
    return true;
  }

  forget(name: string): void {
    this.#told.delete(name);
  }

  /** Forgets all others and gives their names. */
  keepOnly(names: readonly string[]): readonly string[] {
    const kept = new Set(names);
    const gone = [...this.#told.keys()].filter((name) => !kept.has(name));
    for (const name of gone) this.#told.delete(name);
    return gone;
  }
}
