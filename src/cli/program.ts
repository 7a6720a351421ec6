import { Command } from 'commander';

import { VERSION } from '../app/version.js';
import { capabilitiesCommand } from './capabilities.js';
import { continueCommand } from './continue.js';
import { doctorCommand } from './doctor.js';
import { ejectCommand } from './eject.js';
import { explainCommand } from './explain.js';
import { graphCommand } from './graph.js';
import { importCommand } from './import.js';
import { indexCommand } from './index-tools.js';
import { initCommand } from './init.js';
import { logsCommand } from './logs.js';
import { metricsCommand } from './metrics.js';
import { explainFailure } from './other-build.js';
import { runCommand } from './run.js';
import { runsCommand } from './runs.js';
import { searchCommand } from './search.js';
import { serveCommand } from './serve-http.js';
import { exitOnUsage } from './setup-io.js';
import { showCommand } from './show.js';
import { statusCommand } from './status.js';
import { restartCommand, stopCommand } from './stop.js';
import { toolsCommand } from './tools.js';
import { trustCommand } from './trust.js';
import { watchCommand } from './watch.js';

/** Everything but the two commands that must be quick. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  // `pml tools | head` is no error.
  process.stdout.on('error', () => process.exit(0));
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    throw explainFailure(error);
  }
}

export function createProgram(): Command {
  const program = new Command('pml')
    .description('One local MCP server in front of all of yours: few tokens, nothing lost')
    .version(VERSION)
    .showHelpAfterError('(add --help for the options)')
    .addCommand(serveCommand())
    .addCommand(initCommand())
    .addCommand(ejectCommand())
    .addCommand(doctorCommand())
    .addCommand(statusCommand())
    .addCommand(toolsCommand())
    .addCommand(searchCommand())
    .addCommand(indexCommand())
    .addCommand(importCommand())
    .addCommand(runCommand())
    .addCommand(runsCommand())
    .addCommand(showCommand())
    .addCommand(watchCommand())
    .addCommand(continueCommand())
    .addCommand(capabilitiesCommand())
    .addCommand(graphCommand())
    .addCommand(explainCommand())
    .addCommand(metricsCommand())
    .addCommand(logsCommand())
    .addCommand(stopCommand())
    .addCommand(restartCommand())
    .addCommand(trustCommand());
  // Added commands do not inherit it.
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.exitOverride(exitOnUsage);
  }
  return program;
}
