import pc from 'picocolors';

import type { ImportedServer, ImportPlan, ReadFile } from '../../clients/index.js';
import type { JsonObject, JsonValue } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { isUntrusted } from './plan.js';

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

/** Which values of `env` and `headers` are printed: all, those that look like no secret, or none. */
type ShownValues = 'all' | 'plain' | 'none';

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
    // Untrusted values are shown, because a variable such as NODE_OPTIONS can start programs too.
    ...describeEntry(entry, untrusted ? 'plain' : 'none'),
    pc.dim(`      from ${places.join('; ')}`),
    ...notes.map((note) => pc.dim(`      note: ${visible(note)}`)),
  ];
}

/** What an entry starts or reaches, with what, and where. */
export function describeEntry(entry: JsonObject, shown: ShownValues): string[] {
  return [
    `      ${commandLine(entry)}`,
    ...describeMap('env', entry['env'], shown),
    ...describeMap('headers', entry['headers'], shown),
    ...(entry['cwd'] === undefined ? [] : [`      in ${visible(textOf(entry['cwd']))}`]),
  ];
}

function describeMap(label: string, map: JsonValue | undefined, shown: ShownValues): string[] {
  const entries = Object.entries((map ?? {}) as JsonObject);
  if (entries.length === 0) return [];
  const parts = entries.map(([key, value]) => {
    const isSecret = shown === 'none' || (shown === 'plain' && SECRET_NAME.test(key));
    return `${visible(key)}=${isSecret ? '…' : quote(textOf(value))}`;
  });
  return [`      ${label} ${parts.join(' ')}`];
}
