import { messageOf, PmlError } from '../core/errors.js';
import { visible } from '../core/visible-text.js';

/** Prints why a command failed, and sets the exit code: 2 for wrong usage, else 1. */
export function reportFailure(error: unknown): void {
  const code = error instanceof PmlError ? ` [${error.code}]` : '';
  const lines = messageOf(error).split('\n').map(visible);
  process.stderr.write(`pml: ${lines.join('\n')}${code}\n`);
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.exitCode = isUsage ? 2 : 1;
}
