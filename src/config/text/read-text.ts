import { readFile, stat } from 'node:fs/promises';

import { isAbsent, messageOf, PmlError } from '../../core/index.js';

/** Far above any configuration a person keeps; protects against pointing at the wrong file. */
const MAX_CONFIG_BYTES = 5_000_000;

const BYTE_ORDER_MARK = '\uFEFF';

export interface ConfigText {
  readonly bytes: Buffer;
  /** Without byte order mark. */
  readonly text: string;
  /** The byte order mark of the file, or nothing; written back in front of edited text. */
  readonly mark: string;
}

/** Reads a UTF-8 file; undefined if there is none. Anything unreadable is `CONFIG_INVALID`. */
export async function readConfigText(
  path: string,
  maxBytes = MAX_CONFIG_BYTES,
): Promise<ConfigText | undefined> {
  const bytes = await readBytes(path, maxBytes);
  if (!bytes) return undefined;
  const whole = decode(path, bytes);
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { bytes, text: whole.slice(mark.length), mark };
}

async function readBytes(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw invalid(path, 'not a regular file');
    if (found.size > maxBytes) throw invalid(path, tooLarge(found.size, maxBytes));
    return await readFile(path);
  } catch (error) {
    if (error instanceof PmlError) throw error;
    if (isAbsent(error)) return undefined;
    throw invalid(path, `cannot be read: ${messageOf(error)}`, error);
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw invalid(path, 'not UTF-8 text; save it as UTF-8', error);
  }
}

function tooLarge(size: number, maxBytes: number): string {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  return `${megabytes(size)} MB is too large for a configuration (at most ${megabytes(maxBytes)} MB)`;
}

function invalid(path: string, message: string, cause?: unknown): PmlError {
  const problem = { file: path, line: 1, column: 1, path: '', message };
  return new PmlError('CONFIG_INVALID', `${path}: ${message}`, {
    cause,
    details: { problems: [problem] },
  });
}
