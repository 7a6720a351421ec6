import * as z from 'zod';

import {
  BUILT_IN_SERVER,
  CAPABILITY_SERVER,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseToolId,
  type ServerName,
  type ToolAnnotations,
  type ToolId,
  type ToolOverride,
} from '../core/index.js';
import { describeMissing, expandVariables } from './expand.js';
import type { Environment } from './find.js';
import type { ConfigProblems } from './problems.js';

/** What the user changes of tools, by exact id. */

const annotations = z.strictObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const override = z.strictObject({
  description: z.string().optional().describe('Replaces the description of the server.'),
  annotations: annotations
    .optional()
    .describe(
      'Replaces annotations of the server: title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint. They are your word and count for permissions; the rules of permissions win.',
    ),
  hide: z
    .array(z.string().min(1))
    .default([])
    .describe('Optional parameters that agents do not see. PML refuses a call that has one.'),
  fix: z
    .record(z.string().min(1), z.json())
    .default({})
    .describe(
      'Values that PML puts into every call. Agents do not see these parameters, and PML refuses a call that has one. PML replaces ${NAME} and ${NAME:-default} from the environment and hides what it takes from there.',
    ),
});

export const ToolSettings = z.strictObject({
  override: z
    .record(
      z.string().refine(isToolOfServer, {
        error: 'expected the exact id of a tool, server:tool, without wildcards',
      }),
      override,
    )
    .default({})
    .describe('What PML changes of single tools, by their exact id server:tool.'),
});

type Override = z.infer<typeof override>;

function isToolOfServer(text: string): boolean {
  try {
    const { server } = parseToolId(text);
    const isOurs = server === BUILT_IN_SERVER || server === CAPABILITY_SERVER || server === 'code';
    return !isOurs && !/[*?]/.test(text);
  } catch {
    return false; // Not of the form `server:tool`.
  }
}

/** With the environment put in. A missing variable stops only the tool that needs it. */
export function toOverrides(
  written: Readonly<Record<string, Override>>,
  env: Environment,
): ReadonlyMap<ToolId, ToolOverride> {
  return new Map(
    Object.entries(written).map(([id, one]) => [parseToolId(id).id, toOverride(one, env)]),
  );
}

function toOverride({ description, annotations: hints, hide, fix }: Override, env: Environment) {
  const { value, missing, variables } = expandVariables(fix as JsonObject, env);
  return {
    ...(description !== undefined && { description }),
    ...(hints && { annotations: withoutGaps(hints) }),
    hide,
    fix: value as JsonObject,
    variables,
    ...(missing.length > 0 && { fault: describeMissing(missing) }),
  };
}

function withoutGaps(hints: NonNullable<Override['annotations']>): ToolAnnotations {
  const given = Object.entries(hints).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ToolAnnotations;
}

/** What the overrides of a server's tools took from the environment, by variable. */
export function overrideVariables(
  overrides: ReadonlyMap<ToolId, ToolOverride>,
  server: ServerName,
): Readonly<Record<string, string>> {
  const own = [...overrides].filter(([id]) => parseToolId(id).server === server);
  const entries = own.flatMap(([, { variables }]) => Object.entries(variables));
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A parameter that is both hidden and fixed says two things. */
export function checkOverrides(value: JsonValue | undefined, problems: ConfigProblems): void {
  const overrides = isJsonObject(value) ? value['override'] : undefined;
  for (const [id, one] of Object.entries(isJsonObject(overrides) ? overrides : {})) {
    if (!isJsonObject(one) || !Array.isArray(one['hide']) || !isJsonObject(one['fix'])) continue;
    const fixed = one['fix'];
    one['hide'].forEach((name, place) => {
      if (typeof name !== 'string' || !Object.hasOwn(fixed, name)) return;
      problems.add(
        ['tools', 'override', id, 'hide', place],
        `"${name}" is in "fix" as well, which hides it already; keep one`,
      );
    });
  }
}
