import { join } from 'node:path';

import {
  type Client,
  CLIENTS,
  type ImportPlan,
  type Machine,
  type Program,
  readClientFiles,
  type ReadFile,
  replaceClientFile,
} from '../../clients/index.js';
import { type Environment, pmlHome, projectConfigPath } from '../../config/find.js';
import { parseConfig } from '../../config/load.js';
import { writeAtomic } from '../../config/text/write-atomic.js';
import { trust } from '../../config/trust.js';
import { messageOf, PmlError } from '../../core/errors.js';
import { nextSteps } from './next-steps.js';
import { type InitPlan, isUntrusted, planInit, planLaunch, planServers } from './plan.js';
import { describeImport } from './print.js';
import { type Outcome, report } from './report.js';
import { readTarget, schemaUrl, targetPath } from './target.js';

export interface InitOptions {
  readonly clients: readonly Client[];
  readonly config?: string | undefined;
  readonly project: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly trustProject: boolean;
}

/** The outside world of `init` and `eject`. */
export interface SetupIo {
  readonly machine: Machine;
  /** What clients are to start. */
  readonly program: Program;
  readonly isInteractive: boolean;
  readonly now: () => Date;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** `isSafe`: nothing can be lost, so that return means yes. */
  readonly confirm: (question: string, options: { readonly isSafe: boolean }) => Promise<boolean>;
  /** Lets the user choose some of these clients, all of which have files; undefined: they left. */
  readonly chooseClients: (found: readonly Client[]) => Promise<readonly Client[] | undefined>;
}

/** Runs `pml init` and answers its exit code. */
export async function runInit(options: InitOptions, io: SetupIo): Promise<number> {
  try {
    await init(options, io);
    return 0;
  } catch (error) {
    if (options.json) io.out(JSON.stringify({ status: 'failed', error: messageOf(error) }));
    io.error(`pml init: ${messageOf(error)}`);
    return 1;
  }
}

async function init(given: InitOptions, io: SetupIo): Promise<void> {
  const { machine } = io;
  const options = await withChosenClients(given, io);
  const say = options?.json ? () => undefined : (line: string) => io.out(line);
  if (!options) return say(CLOSING.declined);
  const path = targetPath(
    { config: options.config, project: options.project },
    machine.cwd,
    machine.env,
  );
  const target = await readTarget(path, machine.env);
  const chosen = options.clients.length > 0 ? options.clients : CLIENTS;
  const files = await readClientFiles(chosen, machine);
  refuseUnreadable(files, options.clients);
  const imported = planServers(files, target, machine);

  say(`Servers for ${path}:`);
  for (const line of describeImport(imported, files)) say(line);
  const isProjectApproved = await approveProject(imported, { options, io, say });
  const launch = planLaunch(path, machine.env, io.program);
  const schema = schemaUrl(io.program);
  const { clients } = options;
  const plan = planInit({
    target,
    files,
    imported,
    clients,
    launch,
    isProjectApproved,
    env: machine.env,
    schema,
  });

  const outcome = await carryOut(plan, { options, io, say });
  if (options.json) io.out(JSON.stringify(report(outcome, { plan, imported, files }), null, 2));
  else say(CLOSING[outcome]);
  if (outcome === 'done' || outcome === 'nothing-to-do') {
    for (const line of nextSteps(plan, { clients, env: machine.env })) say(line);
  }
}

/** On a terminal the user chooses; elsewhere `--client` says it. */
async function withChosenClients(
  options: InitOptions,
  io: SetupIo,
): Promise<InitOptions | undefined> {
  const { clients, yes, json, dryRun } = options;
  if (clients.length > 0 || yes || json || dryRun || !io.isInteractive) return options;
  const files = await readClientFiles(CLIENTS, io.machine);
  const found = CLIENTS.filter((client) =>
    files.some(({ file, state }) => file.client === client && state.status === 'read'),
  );
  if (found.length === 0) return options;
  const chosen = await io.chooseClients(found);
  return chosen && { ...options, clients: chosen };
}

const CLOSING: Readonly<Record<Outcome, string>> = {
  done: 'Done. `pml eject` puts the clients back as they were.',
  'nothing-to-do': 'Nothing to do.',
  'dry-run': 'Dry run: nothing was written.',
  declined: 'Nothing was written.',
};

/** A client the user named must be readable; any other is only reported. */
function refuseUnreadable(files: readonly ReadFile[], clients: readonly Client[]): void {
  const reasons = files.flatMap(({ file, state }) =>
    state.status === 'unreadable' && clients.includes(file.client) ? [state.reason] : [],
  );
  if (reasons.length > 0) throw new PmlError('CONFIG_INVALID', reasons.join('\n'));
}

interface Stage {
  readonly options: InitOptions;
  readonly io: SetupIo;
  readonly say: (line: string) => void;
}

/** Asks before anything from the project's files is started, or moved out of them. */
async function approveProject(imported: ImportPlan, { options, io, say }: Stage): Promise<boolean> {
  if (options.trustProject) return true;
  const names = imported.servers.filter(isUntrusted).map(({ name }) => name);
  const sources = [...imported.servers, ...imported.known]
    .flatMap((server) =>
      server.sources.map((source) => ({ ...source, isNew: isUntrusted(server) })),
    )
    .filter(({ scope }) => scope === 'project')
    .filter(({ isNew, client }) => isNew || options.clients.includes(client));
  if (sources.length === 0) return false;
  const paths = [...new Set(sources.map(({ path }) => path))].join(', ');
  if (io.isInteractive && !options.yes && !options.dryRun && !options.json) {
    const what = names.length > 0 ? `Trust it to start ${names.join(', ')}?` : 'Use it?';
    return io.confirm(`${paths} came with this directory. ${what}`, { isSafe: false });
  }
  say(`Left out, because ${paths} came with this directory: ${names.join(', ') || 'its servers'}.`);
  say('Read the commands above, then add --trust-project to include them.');
  return false;
}

async function carryOut(plan: InitPlan, { options, io, say }: Stage): Promise<Outcome> {
  if (plan.text === undefined && plan.rewrites.length === 0) return 'nothing-to-do';
  if (plan.text !== undefined) say(`Writes ${plan.target.path}`);
  for (const { file } of plan.rewrites) {
    say(`Changes ${file.path} (${file.client}), keeping a copy`);
  }
  if (options.dryRun) return 'dry-run';
  const asks = io.isInteractive && !options.yes && !options.json;
  // Every file that changes is copied first.
  if (asks && !(await io.confirm('Go ahead?', { isSafe: true }))) return 'declined';
  await write(plan, io);
  return 'done';
}

/** The configuration first: a client may lose its servers only once PML has them. */
async function write({ target, text, rewrites }: InitPlan, io: SetupIo): Promise<void> {
  const { env, cwd } = io.machine;
  if (text !== undefined) {
    await writeAtomic(target.path, text);
    const isProject = target.path === projectConfigPath(cwd);
    if (isProject && target.isTrusted) {
      await trust(parseConfig(text.slice(target.mark.length), { path: target.path, env }), { env });
    }
  }
  for (const rewrite of rewrites) {
    await replaceClientFile(backupDirectory(env), { ...rewrite, now: io.now() });
  }
}

export function backupDirectory(env: Environment): string {
  return join(pmlHome(env), 'backups');
}
