import { isJsonObject, type JsonValue, messageOf } from '../core/index.js';
import { decodeLine, encodeLine } from './checked-line.js';
import { readPrivate, replacePrivate } from './private-file.js';

/** What the file must be, so that one file is never read as another. */
export interface SyncedFileKind {
  readonly format: string;
  readonly version: number;
}

/**
 * One JSON value in one small file that outlives the store: replaced as a whole, synced, with a
 * checksum, readable by its owner alone, and never reached through a symbolic link.
 */
export class SyncedFile {
  readonly path: string;
  readonly #kind: SyncedFileKind;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, kind: SyncedFileKind) {
    this.path = path;
    this.#kind = kind;
  }

  /** Nothing if there is no file. Rejects if there is one that cannot be relied on. */
  async read(): Promise<JsonValue | undefined> {
    const bytes = await readPrivate(this.path).catch((error: unknown) => {
      throw new Error(`${this.path} cannot be read: ${messageOf(error)}`, { cause: error });
    });
    if (!bytes) return undefined;
    const text = bytes.toString();
    const content = text.endsWith('\n') ? decodeLine(text.slice(0, -1)) : undefined;
    if (content === undefined) throw new Error(`${this.path} is damaged: its checksum is wrong`);
    const { format, version } = this.#kind;
    if (!isJsonObject(content) || content['format'] !== format || content['version'] !== version) {
      throw new Error(`${this.path} is not a file of the kind ${format} ${version}`);
    }
    return content['value'] ?? null;
  }

  /** Resolves when the value is on disk. Writes follow one another. */
  write(value: JsonValue): Promise<void> {
    const line = encodeLine({ ...this.#kind, value });
    const mine = this.#writing.then(() => replacePrivate(this.path, line));
    this.#writing = mine.catch(() => {}); // The caller that wrote gets the error.
    return mine;
  }
}
