#!/usr/bin/env node
const args = process.argv.slice(2);
const [command = '', ...rest] = args;
const wantsHelp = rest.some((one) => ['--help', '-h', '--http'].includes(one));

try {
  // The two that every session starts load nothing they do not need; nor do help and version.
  if (command === 'daemon' || (command === 'serve' && !wantsHelp)) {
    await (await import('./cli/serve/resident.js')).runResident(command, rest);
  } else if (isVersion()) await printVersion();
  else if (isOverview()) await printHelp();
  else await runCommand();
} catch (error) {
  (await import('./cli/report-failure.js')).reportFailure(error);
  if (command === 'serve') process.exit();
}

async function runCommand(): Promise<void> {
  const { ALL_COMMANDS } = await import('./cli/all-commands.js');
  await (await import('./cli/program.js')).runProgram(args, ALL_COMMANDS);
}

function isOverview(): boolean {
  return ['', '--help', '-h'].includes(command) || (command === 'help' && rest.length === 0);
}

/** The command with options that it does not have is refused like any other. */
function isVersion(): boolean {
  if (['--version', '-V'].includes(command)) return true;
  return command === 'version' && rest.every((one) => one === '--json');
}

async function printVersion(): Promise<void> {
  const { describeVersion } = await import('./cli/help/version-text.js');
  const isBare = command !== 'version';
  process.stdout.write(`${describeVersion({ isBare, isJson: rest.length > 0 })}\n`);
}

/** Without a command, what is missing is an error. */
async function printHelp(): Promise<void> {
  const { printOverview } = await import('./cli/help/overview.js');
  printOverview(command === '' ? process.stderr : process.stdout);
  if (command === '') process.exitCode = 2;
}
