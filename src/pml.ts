/**
 * What the command `pml` starts. It runs the commands that ask the daemon, and leaves the rest to `cli.js`.
 * The build makes one CommonJS file of it, because Node starts that in half the time of modules.
 */
import { fileURLToPath } from 'node:url';

import { reuseCompiledCode } from './cli/compiled-code.js';
import { QUICK_COMMANDS } from './cli/quick-commands.js';

const args = process.argv.slice(2);

if (isQuick(args)) void run();
else void import('./cli.js');

async function run(): Promise<void> {
  try {
    const dist = fileURLToPath(new URL('.', import.meta.url));
    reuseCompiledCode({
      name: args[0] ?? '',
      folder: 'quick',
      build: '__BUILD__',
      dist,
    });
    await (await import('./cli/program.js')).runProgram(args, QUICK_COMMANDS);
  } catch (error) {
    (await import('./cli/report-failure.js')).reportFailure(error);
  }
}

/** A line that is being completed is quick if its command is, or if the command is being written. */
function isQuick([name = '', ...rest]: readonly string[]): boolean {
  if (name === '__complete' || name === 'help') return rest.length > 1 && isQuick(rest);
  return Object.hasOwn(QUICK_COMMANDS, name);
}
