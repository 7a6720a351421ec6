import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { Client } from './client-files.js';

/** How a client starts PML. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const PML_NAME = 'pml';
/** As Goose sets it for new extensions. */
const GOOSE_TIMEOUT_SECONDS = 300;

/** The PML that runs now. */
export interface Program {
  /** Absolute, because programs with a window do not search where a shell does. */
  readonly node: string;
  /** Absolute path of our `cli.js`. No registry has a package of ours to name instead. */
  readonly cli: string;
}

export interface LaunchOptions {
  readonly program: Program;
  /** Configuration to name; undefined for the user's, which PML finds by itself. */
  readonly configPath: string | undefined;
  readonly pmlHome: string | undefined;
}

export function launchOf({ program, configPath, pmlHome }: LaunchOptions): Launch {
  const named = configPath === undefined ? [] : ['--config', configPath];
  return {
    command: program.node,
    args: [program.cli, 'serve', ...named],
    ...(pmlHome === undefined ? {} : { env: { PML_HOME: pmlHome } }),
  };
}

/** The launch as an entry of that client's file. */
export function pmlEntry(client: Client, { command, args, env }: Launch): JsonObject {
  const entry = { command, args, ...(env ? { env } : {}) };
  switch (client) {
    case 'vscode':
      return { type: 'stdio', ...entry };
    case 'zed':
      return { source: 'custom', ...entry };
    case 'opencode':
      return {
        type: 'local',
        command: [command, ...args],
        ...(env ? { environment: env } : {}),
        enabled: true,
      };
    case 'goose':
      return {
        enabled: true,
        type: 'stdio',
        name: PML_NAME,
        description: 'All MCP servers, through PML',
        cmd: command,
        args,
        envs: env ?? {},
        timeout: GOOSE_TIMEOUT_SECONDS,
      };
    default:
      return entry;
  }
}

/** How an entry starts PML; undefined for one that names no command. */
export function launchIn(value: JsonValue): Launch | undefined {
  if (!isJsonObject(value) || typeof value['command'] !== 'string') return undefined;
  const args = (Array.isArray(value['args']) ? value['args'] : []).map(String);
  const env = isJsonObject(value['env']) ? value['env'] : {};
  return {
    command: value['command'],
    args,
    env: Object.fromEntries(Object.entries(env).map(([name, one]) => [name, textOf(one)])),
  };
}

/** Clients take numbers and booleans as well; the environment knows only text. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const PACKAGE = /^pml(@|$)/;
const CLI = /[\\/]dist[\\/]cli\.js$/;
const CLI_OF_PML = /[\\/]pml[\\/]dist[\\/]cli\.js$/;

/** Whether an entry starts PML, however it was written: importing it would make PML call itself. */
export function isPml(name: string, value: JsonValue): boolean {
  const { command, args } = launchIn(value) ?? { command: '', args: [] };
  if (programOf(command) === 'pml') return true;
  if (!args.includes('serve')) return false;
  const isCli = args.some((arg) => CLI_OF_PML.test(arg) || (CLI.test(arg) && name === PML_NAME));
  return isCli || args.some((arg) => PACKAGE.test(arg));
}

/** Whether it has the registry decide what is started; what is called `pml` there is not ours. */
export function isFromRegistry({ command, args }: Launch): boolean {
  const runners = ['npx', 'bunx', 'pnpx', 'npm', 'pnpm', 'yarn', 'bun'];
  return runners.includes(programOf(command)) && args.some((arg) => PACKAGE.test(arg));
}

/** `node` of `/usr/bin/node` and `C:\\…\\node.exe`. */
export function programOf(command: string): string {
  const file = command.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.(cmd|exe|js)$/i, '');
}
