import { StringDecoder } from 'node:string_decoder';

/** What has no line end by then is written as it is so far: a flood must not fill memory. */
const MOST_LINE_CHARACTERS = 64_000;
const KEY_BEGINS = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;

/**
 * Masks a stream line by line, so that a secret that comes in two chunks is seen as one. The lines of
 * a private key belong together.
 */
export class LineMask {
  readonly #mask: (line: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #isInKey = false;

  constructor(mask: (line: string) => string) {
    this.#mask = mask;
  }

  get hasRest(): boolean {
    return this.#rest !== '';
  }

  /** The lines that are complete by now, masked; empty when none is. */
  push(chunk: Buffer): string {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    const masked = lines.map((line) => `${this.#maskLine(line)}\n`).join('');
    return this.#rest.length > MOST_LINE_CHARACTERS ? masked + this.#writeLong() : masked;
  }

  /** What has come of a line that has not ended. */
  flush(): string {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    return rest === '' ? '' : this.#maskLine(rest);
  }

  /** Up to a space, where there is one: half of a secret would not be known for one. */
  #writeLong(): string {
    const space = this.#rest.lastIndexOf(' ');
    const end = space > 0 ? space : this.#rest.length;
    const written = this.#maskLine(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
    return written;
  }

  #maskLine(line: string): string {
    const wasInKey = this.#isInKey;
    if (KEY_BEGINS.test(line)) this.#isInKey = true;
    if (KEY_ENDS.test(line)) this.#isInKey = false;
    return wasInKey ? '***' : this.#mask(line);
  }
}
