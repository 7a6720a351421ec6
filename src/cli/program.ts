import { Command } from 'commander';

import { VERSION } from '../app/version.js';
import { capabilitiesCommand } from './capabilities/capabilities.js';
import { explainFailure } from './daemon/other-build.js';
import { demoCommand } from './demo/demo.js';
import { doctorCommand } from './doctor/doctor.js';
import { ejectCommand } from './init/eject.js';
import { initCommand } from './init/init.js';
import { exitOnUsage } from './init/setup-io.js';
import { trustCommand } from './init/trust.js';
import { explainCommand } from './learned/explain.js';
import { forgetCommand } from './learned/forget.js';
import { graphCommand } from './learned/graph.js';
import { importCommand } from './learned/import.js';
import { metricsCommand } from './learned/metrics.js';
import { continueCommand } from './runs/continue.js';
import { runCommand } from './runs/run.js';
import { runsCommand } from './runs/runs.js';
import { showCommand } from './runs/show.js';
import { watchCommand } from './runs/watch.js';
import { logsCommand } from './serve/logs.js';
import { serveCommand } from './serve/serve-http.js';
import { statusCommand } from './serve/status.js';
import { restartCommand, stopCommand } from './serve/stop.js';
import { uiCommand } from './serve/ui.js';
import { indexCommand } from './tools/index-tools.js';
import { searchCommand } from './tools/search.js';
import { toolsCommand } from './tools/tools.js';

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
    .addCommand(demoCommand())
    .addCommand(uiCommand())
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
    .addCommand(forgetCommand())
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
