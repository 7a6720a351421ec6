import { Command } from 'commander';
import pc from 'picocolors';

import type { DaemonStatus, SearchStatus, StoreStatus } from '../../control/index.js';
import { visible } from '../../core/index.js';
import { ask, type DaemonFlags } from '../daemon/ask.js';
import type { Located } from '../daemon/locate.js';
import { describeOtherBuild, nameOf } from '../daemon/other-build.js';
import { describeFailing } from '../doctor/daemon.js';
import { describeProtections } from '../doctor/sandbox.js';
import { formatMs, localTime } from '../print/format-time.js';
import { count, heading, print, printJson, table } from '../print/print.js';
import { describeIndex, describeModel, describeRanking } from '../tools/describe-search.js';
import { describeMeter, measureTokens } from '../tools/tools.js';

export function statusCommand(): Command {
  return new Command('status')
    .description('Show the daemon, its servers, clients, store, search and the tokens saved')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: DaemonFlags) => {
      const { located, answer } = await ask(flags, 'status', {});
      if (!answer) return showNone(located, flags);
      const other = describeOtherBuild(answer);
      if (other !== undefined) return showOther(answer, flags);
      const { answer: tools } = await ask(flags, 'tools', {});
      if (!tools) return showNone(located, flags);
      const meter = await measureTokens(tools);
      if (flags.json) return printJson({ running: true, ...answer, tokens: meter });
      for (const line of describeStatus(answer)) print(line);
      print('');
      print(describeMeter(meter));
    });
}

function showNone({ path: config, dataDir }: Located, { json }: DaemonFlags): void {
  if (json) return printJson({ running: false, config, dataDir });
  print(`No daemon runs for ${config}. It starts with the first client.`);
}

/** Of a daemon of another build only what every build tells; the notice on stderr says what to do. */
function showOther(status: DaemonStatus, { json }: DaemonFlags): void {
  if (json) return printJson({ running: true, isOtherBuild: true, ...status });
  const rows = [
    ['daemon', `pid ${status.pid}, version ${nameOf(status)}`],
    ['config', visible(status.config)],
    ['data', visible(status.dataDir)],
  ];
  print(table(rows.map(([key = '', ...rest]) => [heading(key), ...rest])));
}

/** Errors are written by servers and names by clients: all of it is made visible. */
export function describeStatus(status: DaemonStatus): string[] {
  const { pid, uptimeMs, clients, store } = status;
  const megabytes = Math.round(status.rssBytes / 1e6);
  const rows = [
    ['daemon', `pid ${pid}, version ${nameOf(status)}, up ${duration(uptimeMs)}, ${megabytes} MB`],
    ['config', status.config],
    ...rejectedRows(status),
    ['data', status.dataDir],
    ['exposure', status.exposure],
    ...(status.http === undefined ? [] : [['http', describeHttp(status)]]),
    ...storeRows(store),
    ...(status.journal?.problems ?? []).map((one, at) => [
      at === 0 ? 'journal' : '',
      pc.red(visible(one)),
    ]),
    ...searchRows(status.search),
    ...learnedRows(status.learned),
    ...warmRows(status.speculation),
    ...aheadRows(status.speculation),
    ...speculationRows(status),
    ['sandbox', visible(describeProtections(status.sandbox))],
    ...clientRows(clients),
  ];
  return [
    table(rows.map(([key = '', ...rest]) => [heading(key), ...rest])),
    '',
    table([
      ['server', 'state', 'tools', 'calls', ''].map(heading),
      ...status.servers.map((server) => [
        server.name,
        colourState(server.state),
        server.listed ? String(server.tools) : '?',
        String(server.runningCalls),
        server.lastError ? pc.red(visible(server.lastError)) : '',
      ]),
      ...Object.entries(status.broken).map(([name, reason]) => {
        return [name, pc.red('unusable'), '', '', visible(reason)];
      }),
      ...status.disabled.map((name) => [name, pc.dim('disabled')]),
    ]),
  ];
}

/** What PML sent to each: its own words, which are charged, and the results of tools. */
function clientRows(clients: DaemonStatus['clients']): readonly (readonly string[])[] {
  if (clients.length === 0) return [['clients', 'none']];
  return clients.map(({ name, budget }, place) => {
    const { results, ...own } = budget.sent;
    const kinds = Object.entries(own).filter(([, tokens]) => tokens > 0);
    const parts = kinds.map(([kind, tokens]) => `${kind} ${count(tokens)}`).join(', ');
    const used = `${count(budget.usedTokens)} of ${count(budget.budgetTokens)} tokens`;
    const told = `${visible(name)}: ${used}${parts && ` (${parts})`}`;
    const passedOn = results > 0 ? ` and ${count(results)} of tool results` : '';
    return [place === 0 ? 'clients' : '', `${told}${passedOn}`];
  });
}

function describeHttp({ http = '', isHttpOpenToAll }: DaemonStatus): string {
  return isHttpOpenToAll
    ? `${http} ${pc.yellow('open without a token to every program on this machine')}`
    : `${http} (bearer token)`;
}

function rejectedRows({ rejectedConfig }: DaemonStatus): readonly (readonly string[])[] {
  if (!rejectedConfig) return [];
  const { at, message, code } = rejectedConfig;
  return [
    ['', pc.red(`the file changed at ${localTime(at)} and is not used [${code}]:`)],
    ...message.split('\n').map((line) => ['', pc.red(visible(line))]),
    ['', pc.dim('→ the daemon goes on with what the file said before')],
  ];
}

function storeRows(store: StoreStatus): readonly (readonly string[])[] {
  if ('error' in store) return [['store', pc.red(visible(store.error))]];
  return [
    ['store', `${store.engine} ${store.version}`],
    ...(store.failing ?? []).map((one) => ['', pc.red(visible(describeFailing(one)))]),
  ];
}

function searchRows(search: SearchStatus): readonly (readonly string[])[] {
  const { state, remembered, ranking, error, fix } = search;
  return [
    ['search', describeModel(search)],
    ...(error === undefined ? [] : [['', pc.red(visible(error))]]),
    ...(fix === undefined ? [] : [['', pc.dim(`→ ${visible(fix)}`)]]),
    ...(state === 'none' ? [] : [['indexed', describeIndex(search)]]),
    ['memory', `${count(remembered)} past requests`],
    ['ranking', describeRanking(ranking)],
  ];
}

/** Why the ranking of the row above is in use, then learned vectors and the models of plans. */
function learnedRows(learned: DaemonStatus['learned'] = []): readonly (readonly string[])[] {
  const of = (name: string) => learned.filter(({ part }) => part === name);
  const plans = learned.filter(({ part }) => part !== 'discovery' && part !== 'vectors');
  return [
    ...of('discovery').map(({ why }) => ['', pc.dim(visible(why))]),
    ...of('vectors').map(({ inUse, why }) => ['tool vectors', visible(`${inUse}; ${why}`)]),
    ...plans.map(({ part, inUse, why }, place) => [
      place === 0 ? 'plans' : '',
      visible(`${part}: ${inUse}; ${why}`),
    ]),
  ];
}

/** What PML did before it was asked. */
function speculationRows({ speculation }: DaemonStatus): readonly (readonly string[])[] {
  if (!speculation) return [];
  const { predictions, served, wasted, savedMs, episodes, off } = speculation;
  if (predictions === 0) return [['speculation', 'no prediction yet']];
  const figures = `${count(predictions)} predictions, ${count(served)} useful, ${count(wasted)} in vain, ${formatMs(savedMs)} saved`;
  const correct = episodes.inUse ? 'correct predictions' : 'do not change predictions';
  return [
    ['speculation', figures],
    ['', pc.dim(visible(`past episodes ${correct}: ${episodes.why}`))],
    ...(off.length > 0 ? [['', visible(`off, because it did not pay: ${off.join(', ')}`)]] : []),
  ];
}

/** What was started ahead of calls, and whether it paid. */
function warmRows(speculation: DaemonStatus['speculation']): readonly (readonly string[])[] {
  if (!speculation) return [];
  const { mode, warm } = speculation;
  if (warm.started === 0) return [['ahead', mode === 'off' ? 'off' : `${mode}: nothing yet`]];
  const parts = [
    `${count(warm.started)} servers started`,
    `${count(warm.used)} used (${duration(warm.savedMs)} saved)`,
    `${count(warm.wasted)} not used`,
    ...(warm.failed > 0 ? [`${count(warm.failed)} failed`] : []),
  ];
  return [['ahead', `${mode}: ${parts.join(', ')}`]];
}

/** What PML called by itself. */
function aheadRows(speculation: DaemonStatus['speculation']): readonly (readonly string[])[] {
  const { ahead } = speculation ?? {};
  if (!ahead || ahead.sent === 0) return [];
  const { sent, served, unused, stale, failed, savedMs } = ahead;
  const fates = `${served} served, ${unused} unused, ${stale} stale, ${failed} failed`;
  return [['', `${sent} calls made ahead (${fates}), ${duration(savedMs)} saved`]];
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
