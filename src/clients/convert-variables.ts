import { basename } from 'node:path';

import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { Client, Machine } from './client-files.js';
import { bracedVariables } from './own-entry.js';

export interface VariableContext {
  readonly client: Client;
  readonly machine: Machine;
  /** The `inputs` of a VS Code file, which asks the user for their values. */
  readonly inputs: JsonValue | undefined;
}

const REFERENCE = /\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_]\w*$/;
/** `{env:NAME}` and `{file:path}`. */
const OPENCODE_REFERENCE = /\{(env|file):([^}]*)\}/g;
/** These pass on every text as it is. */
const LITERAL: ReadonlySet<Client> = new Set([
  'claude-desktop',
  'codex',
  'goose',
  'jetbrains',
  'zed',
]);

/**
 * Rewrites a client's references (`${env:X}`, `${input:id}`, `${workspaceFolder}`) as ours. Claude
 * Code writes them as we do. Text that a client would pass on unchanged is escaped.
 */
export function convertVariables(
  text: string,
  { client, machine, inputs }: VariableContext,
  notes: Set<string>,
): string {
  if (client === 'claude-code') return text;
  if (client === 'gemini') return bracedVariables(text);
  if (client === 'opencode') return convertOpencode(text, notes);
  return text.replaceAll(REFERENCE, (match, reference: string) => {
    if (LITERAL.has(client)) return `$${match}`;
    const [kind, name = ''] = splitOnce(reference);
    if (kind === 'env' && NAME.test(name)) return `\${${name}}`;
    if (kind === 'input') return convertInput(name, inputs, notes);
    const replaced = predefined(reference, machine);
    if (replaced === undefined) return `$${match}`;
    if (reference.startsWith('workspaceFolder')) {
      notes.add(`\${${reference}} became ${replaced}: PML serves every project`);
    }
    return replaced;
  });
}

function convertOpencode(text: string, notes: Set<string>): string {
  const literal = text.replaceAll('${', () => '$${');
  return literal.replaceAll(OPENCODE_REFERENCE, (match: string, kind: string, name: string) => {
    if (kind === 'env' && NAME.test(name)) return `\${${name}}`;
    notes.add(`${match} is not understood here; put its value into the environment`);
    return match;
  });
}

function splitOnce(reference: string): [string, string?] {
  const colon = reference.indexOf(':');
  return colon < 0 ? [reference] : [reference.slice(0, colon), reference.slice(colon + 1)];
}

function convertInput(id: string, inputs: JsonValue | undefined, notes: Set<string>): string {
  const input = (Array.isArray(inputs) ? inputs : []).find(
    (item: JsonValue): item is JsonObject => isJsonObject(item) && item['id'] === id,
  );
  const name = environmentName(id);
  const description = input?.['description'];
  const asked = typeof description === 'string' ? ` ("${description}")` : '';
  const fallback = input?.['default'];
  if (typeof fallback === 'string' && fallback !== '' && !fallback.includes('}')) {
    notes.add(`input ${id}${asked} is read from the environment variable ${name}, if set`);
    return `\${${name}:-${fallback}}`;
  }
  notes.add(`set the environment variable ${name}: it replaces the input ${id}${asked}`);
  return `\${${name}}`;
}

function environmentName(id: string): string {
  const name = id.replaceAll(/\W+/g, '_').toUpperCase();
  return NAME.test(name) ? name : `INPUT_${name}`;
}

function predefined(reference: string, { cwd, home, platform }: Machine): string | undefined {
  switch (reference) {
    case 'workspaceFolder':
      return cwd;
    case 'workspaceFolderBasename':
      return basename(cwd);
    case 'userHome':
      return home;
    case 'pathSeparator':
    case '/':
      return platform === 'win32' ? '\\' : '/';
    default:
      return undefined;
  }
}
