import { type ImportPlan, planImport, type Machine, type ReadFile } from '../../clients/index.js';
/** Judges configuration and clients. Pure: `look.ts` finds out the facts. */
import type { LoadedConfig } from '../../config/load.js';
import { messageOf, PmlError } from '../../core/errors.js';
import type { PmlErrorCode } from '../../core/index.js';
import { fail, type Finding, ok, warn } from './finding.js';
import { judgeLaunch, type TriedLaunch } from './launch.js';

export type ConfigState =
  | { readonly status: 'unusable'; readonly error: unknown }
  | {
      readonly status: 'loaded';
      readonly config: LoadedConfig;
      /** Why the file of the current directory is not the one in use. */
      readonly ignored: string | undefined;
    };

export function judgeConfig(state: ConfigState): readonly Finding[] {
  if (state.status === 'unusable') return [judgeUnusable(state.error)];
  const { config, ignored } = state;
  const { path, servers, broken, disabled } = config;
  const counts = `${servers.size} ${servers.size === 1 ? 'server' : 'servers'}`;
  const off = disabled.length === 0 ? '' : `, ${disabled.length} disabled`;
  const unusable = [...broken].map(([name, reason]) =>
    fail(`server ${name}`, reason, 'Then start your client or pml restart from that environment.'),
  );
  return [
    ok('config', `${path} (${counts}${off})`),
    ...(ignored === undefined ? [] : [warn('config', ignored, 'Or name it with --config.')]),
    ...unusable,
    ...none(config),
  ];
}

function none({ servers, broken }: LoadedConfig): readonly Finding[] {
  if (servers.size + broken.size > 0) return [];
  const fix = 'pml init imports those of your clients; or add one to "mcpServers".';
  return [warn('servers', 'none are configured', fix)];
}

function judgeUnusable(error: unknown): Finding {
  const code = error instanceof PmlError ? error.code : undefined;
  return fail('config', messageOf(error), fixOf(code));
}

function fixOf(code: PmlErrorCode | undefined): string {
  if (code === 'CONFIG_NOT_FOUND') return 'pml init writes one from the servers of your clients.';
  if (code === 'CONFIG_UNTRUSTED') return 'Read it, then run pml trust --yes there.';
  return 'Correct the file; nothing is started from it until then.';
}

/** What is known of the files of all clients. */
export interface ClientFacts {
  readonly files: readonly ReadFile[];
  readonly machine: Machine;
  /** What came of starting PML as the user's own files say. */
  readonly launches?: readonly TriedLaunch[];
  /** Where we serve HTTP, or would. */
  readonly httpPort: number;
}

export function judgeClients(facts: ClientFacts): readonly Finding[] {
  const { files, machine } = facts;
  const plan = planImport(files, { machine, existing: {}, check: () => undefined });
  const judged = files.map((file) => judgeFile(file, plan, facts));
  const findings = judged.flatMap((one) => one.findings);
  if (judged.some(({ isOurs }) => isOurs)) return findings;
  const fix = 'pml init --client <name> does it and keeps a copy; pml eject undoes it.';
  return [...findings, warn('clients', 'none of the known ones points at PML', fix)];
}

interface JudgedFile {
  readonly findings: readonly Finding[];
  readonly isOurs: boolean;
}

function judgeFile(
  { file, state }: ReadFile,
  plan: ImportPlan,
  { httpPort, launches = [] }: ClientFacts,
): JudgedFile {
  const what = `client ${file.client}`;
  if (state.status === 'absent') return { findings: [], isOurs: false };
  if (state.status === 'unreadable') {
    const fix = 'Correct the file; the client cannot read it either.';
    return { findings: [warn(what, state.reason, fix)], isOurs: false };
  }
  const found = plan.servers.filter(({ sources }) => sources.some((s) => s.path === file.path));
  const byUrl = found.filter(({ entry }) => isOurUrl(entry['url'], httpPort));
  const beside = found.filter((server) => !byUrl.includes(server));
  const isOurs = byUrl.length > 0 || plan.skipped.some(({ path }) => path === file.path);
  const names = beside.map(({ name }) => name).join(', ');
  const tried = launches.filter(({ path }) => path === file.path).map(judgeLaunch);
  const ours = tried.length > 0 ? tried : [ok(what, `${file.path} points at PML`)];
  const message = `${file.path} starts ${names} ${isOurs ? 'beside' : 'without'} PML`;
  const others = warn(what, message, `pml init --client ${file.client} puts PML in front.`);
  const findings = [...(isOurs ? ours : []), ...(beside.length > 0 ? [others] : [])];
  return { findings, isOurs };
}

function isOurUrl(url: unknown, port: number): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { hostname, port: own, pathname } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return isLocal && own === String(port) && pathname === '/mcp';
}
