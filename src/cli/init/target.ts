import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { ImportedServer, Program } from '../../clients/index.js';
import { type Environment, projectConfigPath, userConfigPath } from '../../config/find.js';
import { parseConfig } from '../../config/load.js';
import { editJsonc } from '../../config/text/edit-jsonc.js';
import { parseJsonc } from '../../config/text/parse-jsonc.js';
import { readConfigText } from '../../config/text/read-text.js';
import { isTrusted } from '../../config/trust.js';
import type { JsonObject } from '../../core/index.js';
import { isJsonObject } from '../../core/json.js';

/** The configuration that `pml init` writes, as it is before. */
export interface Target {
  readonly path: string;
  /** Undefined if there is no file yet. */
  readonly text: string | undefined;
  readonly mark: string;
  readonly servers: JsonObject;
  /** Whether what is in it now may be started without asking. */
  readonly isTrusted: boolean;
}

export interface TargetChoice {
  readonly config: string | undefined;
  readonly project: boolean;
}

export function targetPath(
  { config, project }: TargetChoice,
  cwd: string,
  env: Environment,
): string {
  if (config !== undefined) return resolve(cwd, config);
  return project ? projectConfigPath(cwd) : userConfigPath(env);
}

/** Rejects when there is a file that is not valid: it must be repaired before anything is added. */
export async function readTarget(path: string, env: Environment): Promise<Target> {
  const read = await readConfigText(path);
  if (!read) return { path, text: undefined, mark: '', servers: {}, isTrusted: true };
  const loaded = parseConfig(read.text, { path, env });
  const { value } = parseJsonc(read.text);
  const servers =
    isJsonObject(value) && isJsonObject(value['mcpServers']) ? value['mcpServers'] : {};
  const trusted = isTrusted(loaded, { origin: 'project', env });
  return { path, text: read.text, mark: read.mark, servers, isTrusted: trusted };
}

/** The schema that came with this installation. */
export function schemaUrl({ cli }: Program): string {
  return pathToFileURL(join(dirname(dirname(cli)), 'pml.schema.json')).href;
}

/** The text with the servers added, comments kept; undefined if nothing changes. */
export function addServers(
  target: Target,
  servers: readonly ImportedServer[],
  { env, schema }: { readonly env: Environment; readonly schema: string },
): string | undefined {
  if (target.text !== undefined && servers.length === 0) return undefined;
  const text =
    target.text === undefined
      ? `${JSON.stringify({ $schema: schema, mcpServers: byName(servers) }, null, 2)}\n`
      : editJsonc(
          target.text,
          servers.map(({ name, entry }) => ({ path: ['mcpServers', name], value: entry })),
        );
  // What we are about to write must be what we can read.
  parseConfig(text, { path: target.path, env });
  return target.mark + text;
}

function byName(servers: readonly ImportedServer[]): JsonObject {
  return Object.fromEntries(servers.map(({ name, entry }) => [name, entry]));
}
