import { chooseConfig } from '../../config/choose.js';
import { projectConfigPath, userConfigPath } from '../../config/find.js';
import { parseConfig } from '../../config/load.js';
import { writeAtomic } from '../../config/text/write-atomic.js';
import { trust } from '../../config/trust.js';
import { messageOf, PmlError } from '../../core/errors.js';
import type { LocateOptions } from '../daemon/locate.js';
import type { SetupIo } from '../init/run.js';
import { addServers, readTarget, schemaUrl, type Target, targetPath } from '../init/target.js';
import { type AddStatus, describePlan, describeTrial, reportAdd } from './describe-add.js';
import type { MissingInput } from './fill-inputs.js';
import { planAdd, type PlannedServer, readDocument, type Wanted } from './plan-add.js';
import type { Trial } from './try-server.js';

export interface WriteOptions {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly project?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export interface AddOptions extends Wanted, WriteOptions {
  readonly isTried: boolean;
}

export interface AddIo extends SetupIo {
  /** Undefined: the user left. */
  readonly askValue: (input: MissingInput) => Promise<string | undefined>;
  readonly tryServer: (flags: LocateOptions, name: string) => Promise<Trial>;
}

/** Added, and it did not work. */
const NOT_WORKING = 3;

/** Runs `pml add` and answers its exit code. */
export async function runAdd(options: AddOptions, io: AddIo): Promise<number> {
  try {
    return await add(options, io);
  } catch (error) {
    if (options.json) io.out(JSON.stringify({ status: 'failed', error: messageOf(error) }));
    io.error(`pml add: ${messageOf(error)}`);
    return 1;
  }
}

async function add(options: AddOptions, io: AddIo): Promise<number> {
  const { env } = io.machine;
  const say = options.json ? () => undefined : (line: string) => io.out(line);
  const target = await readTarget(await configPath(options, io), env);
  const planned = await planWithAnswers(options, io);
  if (!planned) return end('declined', { options, io, target, planned: undefined });
  const known = target.servers[planned.name];
  if (known !== undefined) {
    if (JSON.stringify(known) === JSON.stringify(planned.entry)) {
      say(`${planned.name} is in ${target.path} already.`);
      return end('exists', { options, io, target, planned });
    }
    throw new PmlError(
      'BAD_REQUEST',
      `${target.path} has another server ${planned.name}. Choose a name with --name, or run pml remove ${planned.name} first`,
    );
  }
  say(`For ${target.path}:`);
  for (const line of describePlan(planned, env)) say(line);
  const server = { name: planned.name, entry: planned.entry, sources: [], notes: [] };
  const text = addServers(target, [server], { env, schema: schemaUrl(io.program) });
  if (options.dryRun) return end('dry-run', { options, io, target, planned });
  if (!(await isAgreed('Add it?', options, io))) {
    return end('declined', { options, io, target, planned });
  }
  if (text !== undefined) await writeConfig(target, text, io);
  const flags = { config: target.path, dataDir: options.dataDir };
  const trial = options.isTried ? await io.tryServer(flags, planned.name) : undefined;
  if (trial) for (const line of describeTrial(planned.name, trial)) say(line);
  return end('added', { options, io, target, planned, trial });
}

/** The file that PML would use here, or the user's own if there is none yet. */
export async function configPath(options: WriteOptions, { machine }: SetupIo): Promise<string> {
  const { config, project = false } = options;
  const { cwd, env } = machine;
  if (config !== undefined || project) return targetPath({ config, project }, cwd, env);
  try {
    return (await chooseConfig({ cwd, env })).path;
  } catch (error) {
    if (error instanceof PmlError && error.code === 'CONFIG_NOT_FOUND') return userConfigPath(env);
    throw error;
  }
}

/** On a terminal the user is asked for what is missing; elsewhere it is an error that names it. */
async function planWithAnswers(options: AddOptions, io: AddIo): Promise<PlannedServer | undefined> {
  const document = await readDocument(options, io.machine);
  let wanted: AddOptions = options;
  for (;;) {
    const planned = planAdd(wanted, document);
    const [first] = planned.missing;
    if (!first) return planned;
    const asks = io.isInteractive && !options.yes && !options.json && !options.dryRun;
    if (!asks) throw new PmlError('BAD_REQUEST', describeMissing(planned));
    const value = await io.askValue(first);
    if (value === undefined) return undefined;
    const given = new Map([...(wanted[first.kind] ?? []), [first.name, [value]]]);
    wanted = { ...wanted, [first.kind]: given };
  }
}

function describeMissing({ name, missing }: PlannedServer): string {
  const lines = missing.map(({ kind, name: one, description, choices }) => {
    const about = [description, choices && `one of ${choices.join(', ')}`].filter(Boolean);
    return `  --${kind} ${one}=…${about.length > 0 ? `  (${about.join('; ')})` : ''}`;
  });
  return [`${name} needs values that only you know:`, ...lines].join('\n');
}

/** Without a terminal only `--yes` agrees. */
export async function isAgreed(
  question: string,
  { yes, json }: WriteOptions,
  io: SetupIo,
): Promise<boolean> {
  if (yes) return true;
  if (io.isInteractive && !json) return io.confirm(question, { isSafe: false });
  io.error('Add --yes to write it.');
  return false;
}

/** A project file that the user trusted stays trusted: the user has just seen what changes. */
export async function writeConfig(target: Target, text: string, io: SetupIo): Promise<void> {
  const { env, cwd } = io.machine;
  await writeAtomic(target.path, text);
  if (target.path !== projectConfigPath(cwd) || !target.isTrusted) return;
  const loaded = parseConfig(text.slice(target.mark.length), { path: target.path, env });
  await trust(loaded, { env });
}

interface End {
  readonly options: AddOptions;
  readonly io: AddIo;
  readonly target: Target;
  readonly planned: PlannedServer | undefined;
  readonly trial?: Trial | undefined;
}

function end(status: AddStatus, { options, io, target, planned, trial }: End): number {
  if (options.json) {
    const report = planned && reportAdd(status, { config: target.path, planned, trial });
    io.out(JSON.stringify(report ?? { status }, null, 2));
  } else if (status === 'dry-run') io.out('Dry run: nothing was written.');
  else if (status === 'declined') io.out('Nothing was written.');
  if (status === 'declined') return 1;
  return trial && !trial.works ? NOT_WORKING : 0;
}
