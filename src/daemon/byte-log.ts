/** The tail of a byte stream, from a position on that moves up as the other side confirms. */
export class ByteLog {
  #chunks: Buffer[] = [];
  /** Position in the stream of the first byte kept. */
  #start = 0;
  #end = 0;

  get end(): number {
    return this.#end;
  }

  append(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#end += chunk.length;
  }

  /** Forgets everything before `position`. */
  trim(position: number): void {
    while (this.#chunks.length > 0 && this.#start < position) {
      const first = this.#chunks[0] as Buffer;
      const surplus = position - this.#start;
      if (surplus < first.length) {
        this.#chunks[0] = first.subarray(surplus);
        this.#start += surplus;
        return;
      }
      this.#chunks.shift();
      this.#start += first.length;
    }
  }

  reset(): void {
    this.#chunks = [];
    this.#start = 0;
    this.#end = 0;
  }

  /** What is kept, as text. Only asked for when the daemon died. */
  read(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
