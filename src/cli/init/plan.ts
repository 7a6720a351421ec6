import {
  type Client,
  type ClientFile,
  type ImportedServer,
  type ImportPlan,
  type Launch,
  launchOf,
  type Machine,
  planImport,
  type Program,
  type ReadFile,
  rewriteClient,
} from '../../clients/index.js';
import { type Environment, userConfigPath } from '../../config/find.js';
import { checkServerEntry } from '../../config/servers.js';
import { addServers, type Target } from './target.js';

/** A client file to be changed. */
interface Rewrite {
  readonly file: ClientFile;
  readonly before: Uint8Array | undefined;
  readonly after: string;
}

/** Everything `pml init` would do; nothing has been done yet. */
export interface InitPlan {
  readonly target: Target;
  /** New text of the configuration; undefined if it stays. */
  readonly text: string | undefined;
  readonly servers: readonly ImportedServer[];
  readonly rewrites: readonly Rewrite[];
}

export interface PlanInput {
  readonly target: Target;
  readonly files: readonly ReadFile[];
  readonly imported: ImportPlan;
  /** Clients to rewrite. */
  readonly clients: readonly Client[];
  readonly launch: Launch;
  /** Whether the user approved what the project's files start. */
  readonly isProjectApproved: boolean;
  readonly env: Environment;
  /** Where editors find the schema of a new file. */
  readonly schema: string;
}

export function planServers(
  files: readonly ReadFile[],
  target: Target,
  machine: Machine,
): ImportPlan {
  return planImport(files, { machine, existing: target.servers, check: checkServerEntry });
}

/** Found only in files that came with the directory, so a stranger may have written them. */
export function isUntrusted({ sources }: ImportedServer): boolean {
  return sources.every(({ scope }) => scope === 'project');
}

export function planInit(input: PlanInput): InitPlan {
  const { target, files, imported, clients, launch, isProjectApproved, env, schema } = input;
  const servers = imported.servers.filter((server) => isProjectApproved || !isUntrusted(server));
  const rewrites = files
    .filter(({ file }) => clients.includes(file.client))
    .filter(({ file, state }) =>
      // A project file loses its servers to PML, which the user's file starts.
      file.scope === 'user' ? true : isProjectApproved && state.status === 'read',
    )
    .flatMap((read) => planRewrite(read, launch));
  return { target, text: addServers(target, servers, { env, schema }), servers, rewrites };
}

function planRewrite(read: ReadFile, launch: Launch): Rewrite[] {
  const { file, state } = read;
  const after = rewriteClient(read, file.scope === 'user' ? launch : undefined);
  if (after === undefined) return [];
  const before = state.status === 'read' ? state.source.bytes : undefined;
  return [{ file, before, after }];
}

/** How clients will start PML with this configuration. */
export function planLaunch(path: string, env: Environment, program: Program): Launch {
  const isDefault = path === userConfigPath(env);
  return launchOf({
    program,
    configPath: isDefault ? undefined : path,
    pmlHome: env['PML_HOME'] || undefined,
  });
}
