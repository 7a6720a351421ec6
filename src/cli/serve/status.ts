import { Command } from 'commander';
import pc from 'picocolors';

import type { DaemonStatus, SearchStatus, ServerRow, StoreStatus } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { ask, type DaemonFlags } from '../daemon/ask.js';
import type { Located } from '../daemon/locate.js';
import { describeOtherBuild, nameOf } from '../daemon/other-build.js';
import { describeFailing } from '../doctor/daemon.js';
import { describeProtections } from '../doctor/sandbox.js';
import { screenColumns } from '../print/columns.js';
import { formatMs, localTime } from '../print/format-time.js';
import { page } from '../print/page.js';
import { count, heading, print, printJson } from '../print/print.js';
import { fields, table } from '../print/table.js';
import { describeIndex, describeModel, describeRanking } from '../tools/describe-search.js';
import { describeMeter, measureTokens } from '../tools/token-meter.js';

export function statusCommand(): Command {
  return new Command('status')
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
      const meter = await measureTokens(tools, located.dataDir);
      if (flags.json) return printJson({ running: true, ...answer, tokens: meter });
      await page([...describeStatus(answer, screenColumns()), '', describeMeter(meter)]);
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
  print(fields(rows.map(([key = '', ...rest]) => [heading(key), ...rest])));
}

/** Errors are written by servers and names by clients: all of it is made visible. */
export function describeStatus(status: DaemonStatus, columns?: number): string[] {
  const { pid, uptimeMs, clients, store } = status;
  const megabytes = Math.round(status.rssBytes / 1e6);
  const rows = [
    ['daemon', `pid ${pid}, version ${nameOf(status)}, up ${duration(uptimeMs)}, ${megabytes} MB`],
    ['config', status.config],
    ...rejectedRows(status),
    ['data', status.dataDir],
    ['exposure', status.exposure],
    ...overrideRows(status.overrides),
    ...profileRows(status.profiles),
    ...(status.http === undefined ? [] : [['http', describeHttp(status)]]),
    ...storeRows(store),
    ...(status.journal?.problems ?? []).map((one, at) => [
      at === 0 ? 'journal' : '',
      pc.red(visible(one)),
    ]),
    ...searchRows(status.search),
    ...learnedRows(status),
    ...warmRows(status.speculation),
    ...aheadRows(status.speculation),
    ...speculationRows(status),
    ['sandbox', visible(describeProtections(status.sandbox))],
    ...clientRows(clients),
  ];
  return [
    fields(
      rows.map(([key = '', ...rest]) => [heading(key), ...rest]),
      columns,
    ),
    '',
    ...describeServers(status, columns),
  ];
}

const SERVER_HEADINGS = ['server', 'state', 'tools', 'calls', 'failed', 'median', 'last use'];

/** One row a server; what is wrong with it stands below the table, where it has room. */
function describeServers(status: DaemonStatus, columns?: number): readonly string[] {
  const problems = [
    ...status.servers.flatMap(({ name, lastError }) => (lastError ? [[name, lastError]] : [])),
    ...Object.entries(status.broken),
  ];
  const rows = table(
    [
      SERVER_HEADINGS.map(heading),
      ...status.servers.map((server) => [
        server.name,
        colourState(server.state),
        server.listed ? String(server.tools) : '?',
        ...describeUse(server),
      ]),
      ...Object.keys(status.broken).map((name) => [name, pc.red('unusable')]),
      ...status.disabled.map((name) => [name, pc.dim('disabled')]),
    ],
    columns,
  );
  if (problems.length === 0) return [rows];
  const shown = problems.map(([name = '', text = '']) => [name, pc.red(visible(text))]);
  return [rows, '', fields(shown, columns)];
}

/** Calls under way count as calls: they are not in the figures yet. */
function describeUse({ use, runningCalls }: ServerRow): readonly string[] {
  const running = runningCalls > 0 ? ` (${runningCalls} running)` : '';
  if (!use) return [`0${running}`, '', '', ''];
  const { calls, failures, medianMs, lastAt } = use;
  return [
    `${count(calls)}${running}`,
    failures > 0 ? pc.red(count(failures)) : '0',
    formatMs(medianMs),
    localTime(lastAt),
  ];
}

/** What PML sent to each: its own words, which are charged, and the results of tools. */
function clientRows(clients: DaemonStatus['clients']): readonly (readonly string[])[] {
  if (clients.length === 0) return [['clients', 'none']];
  return clients.map(({ name, budget, profile }, place) => {
    const { results, ...own } = budget.sent;
    const kinds = Object.entries(own).filter(([, tokens]) => tokens > 0);
    const parts = kinds.map(([kind, tokens]) => `${kind} ${count(tokens)}`).join(', ');
    const used = `${count(budget.usedTokens)} of ${count(budget.budgetTokens)} tokens`;
    const named = profile === undefined ? '' : ` in profile ${profile}`;
    const told = `${visible(name)}${named}: ${used}${parts && ` (${parts})`}`;
    const passedOn = results > 0 ? ` and ${count(results)} of tool results` : '';
    return [place === 0 ? 'clients' : '', `${told}${passedOn}`];
  });
}

function profileRows(profiles: DaemonStatus['profiles'] = []): readonly (readonly string[])[] {
  return profiles.map(({ name, servers, isDefault }, place) => {
    const what = servers.length > 0 ? servers.join(', ') : pc.yellow('no server');
    return [place === 0 ? 'profiles' : '', `${name}${isDefault ? ' (default)' : ''}: ${what}`];
  });
}

function overrideRows(overrides: DaemonStatus['overrides']): readonly (readonly string[])[] {
  if (!overrides || overrides.tools.length === 0) return [];
  const { tools, problems } = overrides;
  return [
    ['overrides', `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`],
    ...problems.map(({ tool, problem }) => ['', pc.yellow(visible(`${tool}: ${problem}`))]),
  ];
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
    ['', pc.dim('→ the daemon keeps using the previous configuration')],
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

/**
 * Why the ranking of the row above is in use, unless that row says so, then learned vectors and the models
 * of plans: one row for all models of which the same is true.
 */
function learnedRows({ learned = [], search }: DaemonStatus): readonly (readonly string[])[] {
  const of = (name: string) => learned.filter(({ part }) => part === name);
  const said = describeRanking(search.ranking);
  const plans = new Map<string, string[]>();
  for (const { part, inUse, why } of learned) {
    if (part === 'discovery' || part === 'vectors') continue;
    const state = `${inUse}; ${why}`;
    plans.set(state, [...(plans.get(state) ?? []), part]);
  }
  return [
    ...of('discovery').flatMap(({ why }) =>
      said.endsWith(why) ? [] : [['', pc.dim(visible(why))]],
    ),
    ...of('vectors').map(({ inUse, why }) => ['tool vectors', visible(`${inUse}; ${why}`)]),
    ...[...plans].map(([state, parts], place) => [
      place === 0 ? 'plans' : '',
      visible(`${parts.join(', ')}: ${state}`),
    ]),
  ];
}

/** What PML did before it was asked. */
function speculationRows({ speculation }: DaemonStatus): readonly (readonly string[])[] {
  if (!speculation) return [];
  const { predictions, served, wasted, savedMs, episodes, off } = speculation;
  if (predictions === 0) return [['speculation', 'no prediction yet']];
  const figures = `${count(predictions)} predictions, ${count(served)} useful, ${count(wasted)} unused, ${formatMs(savedMs)} saved`;
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
  if (state === 'needs_sign_in') return pc.yellow(state);
  return state === 'failing' ? pc.red(state) : state;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
