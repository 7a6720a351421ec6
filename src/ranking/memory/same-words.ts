import { wordKey } from '../../words/index.js';

/**
 * Finds requests with the same words. The index holds a hash of the words only, because the requests
 * hold the words themselves.
 */
export class SameWords {
  readonly #held = new Map<number, number[]>();
  readonly #textOf: (request: number) => string | undefined;

  constructor(textOf: (request: number) => string | undefined) {
    this.#textOf = textOf;
  }

  add(request: number, text: string): void {
    const mark = markOf(wordKey(text));
    const held = this.#held.get(mark);
    if (held) held.push(request);
    else this.#held.set(mark, [request]);
  }

  remove(request: number, text: string): void {
    const mark = markOf(wordKey(text));
    const left = (this.#held.get(mark) ?? []).filter((one) => one !== request);
    if (left.length > 0) this.#held.set(mark, left);
    else this.#held.delete(mark);
  }

  /** Oldest first. A text without words equals no other text. */
  of(text: string): readonly number[] {
    const key = wordKey(text);
    const held = key === '' ? [] : (this.#held.get(markOf(key)) ?? []);
    return held.filter((request) => wordKey(this.#textOf(request) ?? '') === key);
  }
}

/** FNV-1a. */
function markOf(key: string): number {
  let mark = 0x81_1c_9d_c5;
  for (let at = 0; at < key.length; at++) {
    mark = Math.imul(mark ^ key.charCodeAt(at), 0x01_00_01_93);
  }
  return mark >>> 0;
}
