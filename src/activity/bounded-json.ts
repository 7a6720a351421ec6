/** The beginning of a value as JSON, and how long all of it is. */
export interface KeptText {
  readonly text: string;
  readonly isCut: boolean;
  /** Characters of all of it; of a very large value, of what was looked at. */
  readonly size: number;
}

/** Looking at more parts than this would keep the daemon from its clients. */
const MOST_PARTS = 20_000;
const MOST_LEVELS = 100;
/** A text is looked at for characters that JSON escapes only as far as it is kept. */
const QUOTES = 2;
/** Most calls and answers are smaller. */
const SMALL = { parts: 100, characters: 1_000 };
/** JSON writes a character with at most so many others. */
const LONGEST_ESCAPE = 6;

/**
 * Writes a value as JSON up to `limit` characters and counts the rest. Results of tools can have
 * megabytes: `JSON.stringify` would write all of them first.
 */
export function boundedJson(value: unknown, limit: number): KeptText {
  if (limit >= SMALL.characters * LONGEST_ESCAPE && isSmall(value)) {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length <= limit) return { text, isCut: false, size: text.length };
  }
  const writer = new BoundedWriter(limit);
  writer.value(value, 0);
  return writer.end();
}

/** Whether writing all of it takes a moment only. */
function isSmall(value: unknown): boolean {
  let parts = SMALL.parts;
  let characters = SMALL.characters;
  const fits = (part: unknown): boolean => {
    parts -= 1;
    if (typeof part === 'string') characters -= part.length;
    if (parts < 0 || characters < 0) return false;
    if (typeof part !== 'object' || part === null) return true;
    if (Array.isArray(part)) return part.every(fits);
    for (const key in part) {
      characters -= key.length;
      if (!fits((part as Record<string, unknown>)[key])) return false;
    }
    return true;
  };
  return fits(value);
}

class BoundedWriter {
  /** Joined in the end: a text that grows bit by bit keeps all its bits apart in memory. */
  readonly #written: string[] = [];
  #room: number;
  #size = 0;
  #parts = 0;

  constructor(limit: number) {
    this.#room = limit;
  }

  value(value: unknown, level: number): void {
    if (this.#parts++ > MOST_PARTS || level > MOST_LEVELS) return this.#put('"…"');
    if (typeof value === 'string') return this.#string(value);
    if (Array.isArray(value)) return this.#array(value, level);
    if (typeof value === 'object' && value !== null) return this.#object(value, level);
    this.#put(JSON.stringify(value) ?? 'null');
  }

  end(): KeptText {
    const text = this.#written.join('');
    return { text, isCut: this.#size > text.length, size: this.#size };
  }

  #string(text: string): void {
    if (this.#room > 0) this.#put(JSON.stringify(text.slice(0, this.#room)), text.length + QUOTES);
    else this.#size += text.length + QUOTES;
  }

  #array(values: readonly unknown[], level: number): void {
    this.#put('[');
    for (const [place, value] of values.entries()) {
      if (this.#parts > MOST_PARTS) break;
      if (place > 0) this.#put(',');
      this.value(value, level + 1);
    }
    this.#put(']');
  }

  #object(value: object, level: number): void {
    this.#put('{');
    let isFirst = true;
    for (const [key, part] of Object.entries(value)) {
      if (this.#parts > MOST_PARTS) break;
      if (part === undefined) continue;
      if (!isFirst) this.#put(',');
      isFirst = false;
      this.#string(key);
      this.#put(':');
      this.value(part, level + 1);
    }
    this.#put('}');
  }

  #put(text: string, size = text.length): void {
    this.#size += Math.max(size, text.length);
    if (this.#room <= 0) return;
    const kept = text.length > this.#room ? text.slice(0, this.#room) : text;
    this.#written.push(kept);
    this.#room -= kept.length;
  }
}
