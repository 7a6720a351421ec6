import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf, PmlError, type PmlErrorCode } from '../core/errors.js';
import { removeFile } from './private-file.js';

/**
 * Why a daemon could not start, left for the relay that started it: a daemon has no terminal, and a
 * relay must not load all the code that is needed to find out for itself.
 */
export function leaveStartError(dataDir: string, error: unknown): void {
  const code: PmlErrorCode = error instanceof PmlError ? error.code : 'DAEMON_UNREACHABLE';
  const text = JSON.stringify({ code, message: messageOf(error) });
  clearStartError(dataDir);
  writeFileSync(pathOf(dataDir), text, { mode: 0o600, flag: 'wx' });
}

/** Undefined when none was left since `clearStartError`. */
export function readStartError(dataDir: string): PmlError | undefined {
  try {
    const { code, message } = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as {
      code: PmlErrorCode;
      message: string;
    };
    return new PmlError(code, message);
  } catch {
    return undefined; // Missing, or being written: the next check finds it.
  }
}

export function clearStartError(dataDir: string): void {
  removeFile(pathOf(dataDir));
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'start-error.json');
}
