import { StringDecoder } from 'node:string_decoder';

/** A longer line is written in parts: a flood must not fill memory. */
const MOST_LINE_CHARACTERS = 64_000;
const KEY_BEGINS = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;
/** Base64, a header before it, or base64 with a logger prefix. */
const KEY_LINE =
  /^[A-Za-z0-9+/=]*$|^[A-Z][A-Za-z0-9]{0,40}-[A-Za-z0-9]{1,40}: |[A-Za-z0-9+/=]{40}["',\\]{0,4}$/;
/** A key of 8192 bits has 100 lines. */
const MOST_KEY_LINES = 120;

/**
 * Masks a stream line by line, so that a secret that arrives in two chunks is seen as one. Lines
 * after the head of a private key belong to it only while they look like key data.
 */
export class LineMask {
  readonly #mask: (line: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  /** How many more lines the key may have; 0 outside a key. */
  #keyLines = 0;

  constructor(mask: (line: string) => string) {
    this.#mask = mask;
  }

  /** The masked lines that are complete by now; empty if there are none. */
  push(chunk: Buffer): string {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    const masked = lines.map((line) => `${this.#maskLine(line)}\n`).join('');
    return this.#rest.length > MOST_LINE_CHARACTERS ? masked + this.#writeLong() : masked;
  }

  /** The rest of a stream that ended without a line end. */
  flush(): string {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    const masked = rest === '' ? '' : this.#maskLine(rest);
    this.#keyLines = 0;
    return masked;
  }

  /** Up to the last space, if there is one: half of a secret would not be recognised. */
  #writeLong(): string {
    const space = this.#rest.lastIndexOf(' ');
    const end = space > 0 ? space : this.#rest.length;
    const written = this.#maskLine(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
    return written;
  }

  #maskLine(line: string): string {
    const isEnd = KEY_ENDS.test(line);
    const isOfKey = this.#keyLines > 0 && (isEnd || KEY_LINE.test(line.trim()));
    if (isEnd) this.#keyLines = 0;
    else if (KEY_BEGINS.test(line)) this.#keyLines = MOST_KEY_LINES;
    else this.#keyLines = isOfKey ? this.#keyLines - 1 : 0;
    return isOfKey ? '***' : this.#mask(line);
  }
}
