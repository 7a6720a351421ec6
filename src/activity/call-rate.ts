const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Counts calls by minute for the last hour. */
export class CallRate {
  readonly #calls = new Float64Array(MINUTES);
  readonly #failures = new Float64Array(MINUTES);
  #minute = 0;

  /** `at` in milliseconds since 1970. */
  add(at: number, isFailure: boolean): void {
    this.#moveTo(at);
    const place = this.#minute % MINUTES;
    this.#calls[place] = (this.#calls[place] ?? 0) + 1;
    if (isFailure) this.#failures[place] = (this.#failures[place] ?? 0) + 1;
  }

  /** Oldest minute first; the last one is that of `at`. */
  read(at: number): { readonly calls: readonly number[]; readonly failures: readonly number[] } {
    this.#moveTo(at);
    return { calls: this.#ordered(this.#calls), failures: this.#ordered(this.#failures) };
  }

  /** Empties the minutes that nothing happened in. A clock that is set back counts on in the minute it was. */
  #moveTo(at: number): void {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute <= this.#minute) return;
    const passed = Math.min(minute - this.#minute, MINUTES);
    for (let step = 0; step < passed; step++) {
      const place = (minute - step) % MINUTES;
      this.#calls[place] = 0;
      this.#failures[place] = 0;
    }
    this.#minute = minute;
  }

  #ordered(counts: Float64Array): readonly number[] {
    const first = this.#minute + 1;
    return Array.from(counts, (_, place) => counts[(first + place) % MINUTES] ?? 0);
  }
}
