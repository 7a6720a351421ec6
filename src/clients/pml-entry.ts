import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { Client } from './client-files.js';

/** How a client starts PML. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const PML_NAME = 'pml';

export interface LaunchOptions {
  /** Absolute path of `dist/cli.js` when running from a checkout, which no registry can give. */
  readonly checkout: string | undefined;
  /** Configuration to name; undefined for the user's, which PML finds by itself. */
  readonly configPath: string | undefined;
  readonly pmlHome: string | undefined;
}

export function launchOf({ checkout, configPath, pmlHome }: LaunchOptions): Launch {
  const start =
    checkout === undefined
      ? { command: 'npx', args: ['-y', 'pml', 'serve'] }
      : { command: 'node', args: [checkout, 'serve'] };
  const args = configPath === undefined ? start.args : [...start.args, '--config', configPath];
  return { ...start, args, ...(pmlHome === undefined ? {} : { env: { PML_HOME: pmlHome } }) };
}

/** The launch as an entry of that client's file. */
export function pmlEntry(client: Client, { command, args, env }: Launch): JsonObject {
  const entry = { command, args, ...(env ? { env } : {}) };
  return client === 'vscode' ? { type: 'stdio', ...entry } : entry;
}

const PACKAGE = /^pml(@|$)/;

/** Whether an entry starts PML, however it was written: importing it would make PML call itself. */
export function isPml(name: string, value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const args = (Array.isArray(value['args']) ? value['args'] : []).map(String);
  const command = typeof value['command'] === 'string' ? value['command'] : '';
  const program = command
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(cmd|exe|js)$/, '');
  if (program === 'pml') return true;
  if (!args.includes('serve')) return false;
  const isCli = args.some((arg) => /[\\/]dist[\\/]cli\.js$/.test(arg));
  return args.some((arg) => PACKAGE.test(arg)) || (isCli && name === PML_NAME);
}
