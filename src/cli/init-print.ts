import pc from 'picocolors';

import { type ImportedServer, type ImportPlan, type ReadFile } from '../clients/index.js';
import { type JsonObject, type JsonValue, visible } from '../core/index.js';
import { isUntrusted } from './init-plan.js';

const SECRET_NAME = /token|key|secret|pass|auth|cred|cookie|session/i;
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The command a server starts, or the URL it reaches, in full. */
export function commandLine(entry: JsonObject): string {
  if (typeof entry['url'] === 'string') return visible(entry['url']);
  const args = Array.isArray(entry['args']) ? entry['args'] : [];
  return [entry['command'], ...args].map((part) => quote(textOf(part))).join(' ');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : `'${visible(text).replaceAll("'", String.raw`'\''`)}'`;
}

/** What one import found, for people. Values of a user's own `env` and `headers` are not shown. */
export function describeImport(
  { servers, known, broken, skipped }: ImportPlan,
  files: readonly ReadFile[],
): string[] {
  return [
    ...servers.flatMap(describeServer),
    ...known.map(({ name }) => pc.dim(`  = ${name} is configured already`)),
    ...broken.map(
      ({ name, path, reason }) =>
        `${pc.red(`  ✗ ${visible(name)}`)} cannot be used: ${visible(reason)} (${path})`,
    ),
    ...skipped.map(({ name, path, reason }) => pc.dim(`  - ${visible(name)}: ${reason} (${path})`)),
    ...files.flatMap(({ state }) =>
      state.status === 'unreadable' ? [pc.red(`  ✗ ${visible(state.reason)}`)] : [],
    ),
  ];
}

function describeServer(server: ImportedServer): string[] {
  const { name, entry, sources, notes } = server;
  const untrusted = isUntrusted(server);
  const places = [...new Set(sources.map(({ client, path }) => `${client}, ${path}`))];
  const disabled = entry['enabled'] === false ? pc.dim(' (disabled)') : '';
  return [
    `${untrusted ? pc.yellow('  ? ') : pc.green('  + ')}${pc.bold(name)}${disabled}`,
    `      ${commandLine(entry)}`,
    ...describeMap('env', entry['env'], untrusted),
    ...describeMap('headers', entry['headers'], untrusted),
    ...(entry['cwd'] === undefined ? [] : [`      in ${visible(textOf(entry['cwd']))}`]),
    pc.dim(`      from ${places.join('; ')}`),
    ...notes.map((note) => pc.dim(`      note: ${visible(note)}`)),
  ];
}

/** Untrusted values are shown, because a variable such as NODE_OPTIONS can start programs too. */
function describeMap(label: string, map: JsonValue | undefined, isShown: boolean): string[] {
  const entries = Object.entries((map ?? {}) as JsonObject);
  if (entries.length === 0) return [];
  const parts = entries.map(([key, value]) => {
    const isSecret = !isShown || SECRET_NAME.test(key);
    return `${visible(key)}=${isSecret ? '…' : quote(textOf(value))}`;
  });
  return [`      ${label} ${parts.join(' ')}`];
}
