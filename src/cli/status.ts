import { Command } from 'commander';
import pc from 'picocolors';

import type { CatalogTool, JsonObject } from '../core/index.js';
import { heading, print, printJson, table } from './print.js';
import { describeMeter, measureTokens } from './tools.js';
import { ask, type DaemonFlags } from './with-daemon.js';

interface ServerRow {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly tools: number;
  readonly runningCalls: number;
  readonly listed: boolean;
  readonly lastError?: string;
}

export function statusCommand(): Command {
  return new Command('status')
    .description('Show the daemon, its servers, clients, store and the tokens saved')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: DaemonFlags) => {
      const { located, answer } = await ask(flags, 'status');
      if (!answer) {
        if (flags.json)
          printJson({ running: false, config: located.path, dataDir: located.dataDir });
        else print(`No daemon runs for ${located.path}. It starts with the first client.`);
        return;
      }
      const { answer: tools } = await ask(flags, 'tools');
      const listed = (tools?.['tools'] ?? []) as unknown as (CatalogTool & { visible: boolean })[];
      const meter = await measureTokens(tools ?? {}, listed);
      if (flags.json) return printJson({ running: true, ...answer, tokens: meter });
      show(answer);
      print('');
      print(describeMeter(meter));
    });
}

function show(status: JsonObject): void {
  const clients = status['clients'] as JsonObject[];
  const store = status['store'] as JsonObject;
  const megabytes = Math.round(Number(status['rssBytes']) / 1e6);
  const rows = [
    [
      'daemon',
      `pid ${String(status['pid'])}, version ${String(status['version'])}, up ${duration(Number(status['uptimeMs']))}, ${megabytes} MB`,
    ],
    ['config', String(status['config'])],
    ['data', String(status['dataDir'])],
    ['exposure', String(status['exposure'])],
    ...(status['http'] ? [['http', String(status['http'])]] : []),
    [
      'store',
      store['error']
        ? pc.red(String(store['error']))
        : `${String(store['engine'])} ${String(store['version'])}`,
    ],
    ['clients', clients.map((client) => String(client['name'])).join(', ') || 'none'],
  ];
  print(table(rows.map(([key = '', ...rest]) => [heading(key), ...rest])));
  print('');
  const servers = status['servers'] as unknown as ServerRow[];
  print(
    table([
      ['server', 'state', 'tools', 'calls', ''].map(heading),
      ...servers.map((server) => [
        server.name,
        colourState(server.state),
        server.listed ? String(server.tools) : '?',
        String(server.runningCalls),
        server.lastError ? pc.red(server.lastError) : '',
      ]),
      ...Object.entries(status['broken'] as JsonObject).map(([name, reason]) => [
        name,
        pc.red('unusable'),
        '',
        '',
        String(reason),
      ]),
      ...(status['disabled'] as string[]).map((name) => [name, pc.dim('disabled')]),
    ]),
  );
}

function colourState(state: string): string {
  if (state === 'running') return pc.green(state);
  return state === 'failing' ? pc.red(state) : state;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
