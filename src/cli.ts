#!/usr/bin/env node
import { messageOf, PmlError } from './core/errors.js';
import { visible } from './core/visible-text.js';

const [command = '', ...rest] = process.argv.slice(2);
const wantsHelp = rest.some((one) => ['--help', '-h', '--http'].includes(one));

try {
  // The two that every session starts load nothing they do not need.
  if (command === 'serve' && !wantsHelp) await (await import('./cli/serve/serve.js')).serve(rest);
  else if (command === 'daemon') await (await import('./cli/serve/daemon.js')).daemon(rest);
  else await (await import('./cli/program.js')).runProgram(process.argv);
} catch (error) {
  const code = error instanceof PmlError ? ` [${error.code}]` : '';
  const lines = messageOf(error).split('\n').map(visible);
  process.stderr.write(`pml: ${lines.join('\n')}${code}\n`);
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.exitCode = isUsage ? 2 : 1;
  if (command === 'serve') process.exit();
}
