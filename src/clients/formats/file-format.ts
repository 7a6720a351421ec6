import type { Change } from '../../config/text/edit-jsonc.js';
import type { JsonObject } from '../../core/index.js';

export type ParsedFile =
  | { readonly ok: true; readonly value: JsonObject }
  /** `where`: line, column and path, as far as they are known. */
  | { readonly ok: false; readonly where: string; readonly message: string };

/** How the text of a client's file is read, and changed in as few places as possible. */
export interface FileFormat {
  readonly name: string;
  /** An empty text is an empty object. */
  readonly parse: (text: string) => ParsedFile;
  /** Every byte outside of the changed values stays. The caller checks the result. */
  readonly edit: (text: string, changes: readonly Change[]) => string;
}
