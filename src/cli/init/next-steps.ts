import type { Client } from '../../clients/index.js';
import type { Environment } from '../../config/find.js';
import type { JsonValue } from '../../core/index.js';
import { isJsonObject } from '../../core/json.js';
import type { InitPlan } from './plan.js';

const NAMES: Readonly<Record<Client, string>> = {
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  goose: 'Goose',
  jetbrains: 'your JetBrains IDE',
  opencode: 'opencode',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  zed: 'Zed',
};
/** `${NAME}`; with a default, nothing has to be set. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)\}/g;

/** What the user has to do now, in order. */
export function nextSteps(
  { servers, rewrites }: Pick<InitPlan, 'servers' | 'rewrites'>,
  { clients, env }: { readonly clients: readonly Client[]; readonly env: Environment },
): readonly string[] {
  const unset = servers.flatMap(({ name, entry }) =>
    [...variablesIn(entry)].filter((one) => !env[one]).map((one) => `${one} (for ${name})`),
  );
  const changed = [...new Set(rewrites.map(({ file }) => file.client))];
  const steps = [
    ...[...new Set(unset)].map((one) => `Set ${one} where your client starts.`),
    ...changed.map((client) => `Restart ${NAMES[client]}.`),
    ...(clients.length === 0
      ? ['Put PML in front of a client: pml init --client <name>, such as claude-code or cursor.']
      : []),
    'Check everything: pml doctor',
  ];
  return ['', 'Next:', ...steps.map((step, place) => `  ${place + 1}. ${step}`)];
}

/** Names of variables that an entry takes from the environment. */
function variablesIn(value: JsonValue): ReadonlySet<string> {
  if (typeof value === 'string') {
    return new Set([...value.matchAll(VARIABLE)].map(([, name = '']) => name));
  }
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return new Set(inner.flatMap((one) => [...variablesIn(one)]));
}
