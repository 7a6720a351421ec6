import { Command } from 'commander';
import pc from 'picocolors';

import type { DaemonTools, ListedTool, ShownChange } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { shortDescription } from '../../tool-text/short-description.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import type { Located } from '../daemon/locate.js';
import { page } from '../print/page.js';
import { count, heading, print, printJson } from '../print/print.js';
import { table } from '../print/table.js';
import { awaitLists, describeMissing } from './await-lists.js';
import { describeTool } from './describe-tool.js';
import { findTool } from './find-tool.js';
import { describeMeter, measureTokens } from './token-meter.js';

interface ToolsFlags extends DaemonFlags {
  readonly tokens?: boolean;
  readonly server?: string;
}

export function toolsCommand(): Command {
  const command = new Command('tools')
    .option('--tokens', 'count the tokens of every schema (o200k)')
    .option('--server <name>', 'only this server')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: ToolsFlags) => {
      await awaitLists(flags, flags.server);
      const { answer: all, located } = await askStarted(flags, 'tools', {});
      const tools = all.tools.filter(({ server }) => !flags.server || server === flags.server);
      if (flags.tokens) await showTokens({ ...all, tools }, { ...flags, ...located });
      else await showTools(tools, flags);
      const missing = all.missing.filter(({ server }) => !flags.server || server === flags.server);
      for (const line of describeMissing(missing)) process.stderr.write(`${line}\n`);
    });
  return command
    .addCommand(showCommand())
    .addCommand(approveCommand())
    .addCommand(changesCommand())
    .addCommand(refreshCommand());
}

async function showTools(tools: readonly ListedTool[], { json }: ToolsFlags): Promise<void> {
  if (json) return printJson(tools);
  if (tools.length === 0) return print('No tools yet. pml status shows the servers.');
  await page([describeTools(tools)]);
}

export function describeTools(tools: readonly ListedTool[], columns?: number): string {
  const rows = tools
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((tool) => [
      visible(tool.id),
      stateOf(tool),
      visible(shortDescription(tool.definition, 80)),
    ]);
  return table(rows, columns);
}

function stateOf({ status, visible: isShown }: ListedTool): string {
  if (status !== 'active') return pc.yellow(status);
  return isShown ? '' : pc.dim('hidden');
}

/** The context meter: what all schemas would cost, what is shown instead, what that saves. */
async function showTokens(
  shown: DaemonTools,
  { json, dataDir }: ToolsFlags & Located,
): Promise<void> {
  const meter = await measureTokens(shown, dataDir);
  if (json) return printJson(meter);
  const rows = meter.servers.map(({ server, tools: many, tokens }) => [
    server,
    count(many),
    count(tokens),
  ]);
  print(table([['server', 'tools', 'tokens'].map(heading), ...rows]));
  print('');
  print(describeMeter(meter));
}

function showCommand(): Command {
  return daemonCommand('show', 'Show one tool: what it does, its parameters, how to call it')
    .argument('<tool>', 'server:tool; the name alone where only one server has it')
    .action(async (wanted: string, _own: DaemonFlags, command: Command) => {
      const flags = allFlags(command);
      const tool = await findTool(wanted, flags);
      if (flags.json) return printJson(tool);
      await page(describeTool(tool));
    });
}

function approveCommand(): Command {
  return new Command('approve')
    .description('Accept the changed definition of a tool')
    .argument('<tool>', 'server:tool')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (tool: string, _own: DaemonFlags, command: Command) => {
      const flags = allFlags(command);
      await askStarted(flags, 'approve', { tool });
      if (flags.json) return printJson({ approved: tool });
      print(`Approved ${tool}.`);
    });
}

function changesCommand(): Command {
  return new Command('changes')
    .description('Show how tool definitions changed, newest first')
    .option('-n, --limit <count>', 'how many', '20')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async ({ limit }: { limit: string }, command: Command) => {
      const flags = allFlags(command);
      const { answer } = await askStarted(flags, 'changes', { limit: Number(limit) });
      const { changes } = answer;
      if (flags.json) return printJson(changes);
      if (changes.length === 0) return print('No changes.');
      await page(changes.flatMap(describeChange));
    });
}

export function describeChange({ at, kind, tool, diff }: ShownChange): string[] {
  return [
    `${at}  ${kind.padEnd(8)}  ${visible(tool)}`,
    ...diff.map((line) => `    ${visible(line)}`),
  ];
}

function refreshCommand(): Command {
  return new Command('refresh')
    .description('Start servers and read their lists again')
    .argument('[server]', 'only this server')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (server: string | undefined, _own: DaemonFlags, command: Command) => {
      const flags = allFlags(command);
      if (!flags.json) process.stderr.write('Reading lists …\n');
      const { answer } = await askStarted(flags, 'refresh', server ? { server } : {});
      const servers = answer.servers.map(({ name, tools }) => ({ server: name, tools }));
      if (flags.json) printJson({ servers });
      else print(table(servers.map(({ server: one, tools }) => [one, `${count(tools)} tools`])));
      const failed = answer.servers.flatMap(({ name, lastError: reason }) =>
        reason === undefined ? [] : { server: name, reason },
      );
      for (const line of describeMissing(failed)) process.stderr.write(`${line}\n`);
    });
}

/** `tools` has the same options and takes them wherever they are written. */
function allFlags(command: Command): DaemonFlags {
  return command.optsWithGlobals();
}
