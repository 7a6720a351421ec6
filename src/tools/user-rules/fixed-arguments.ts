/** What the overrides of the user do to a call: which arguments are refused, and which are put in. */
import type { Catalog } from '../../catalog/index.js';
import {
  asJsonObject,
  heldParameters,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  maskKnown,
  PmlError,
  secretValues,
  type ServerName,
  type ToolId,
  type ToolOverride,
  type ToolResult,
} from '../../core/index.js';

/** Why a call must not be made with these arguments; undefined if it may. */
export function refuseHeld(
  { overridden }: Catalog,
  tool: ToolId,
  args: JsonObject,
): string | undefined {
  const override = overridden.of(tool);
  if (!override) return undefined;
  const held = heldParameters(override);
  const given = Object.keys(args).filter((name) => held.has(name));
  if (given.length === 0) return undefined;
  const what = given.length === 1 ? 'a parameter' : 'parameters';
  return `${given.join(', ')}: the user set or hid this in "tools.override"; ${tool} has no such ${what}. Leave it out`;
}

/** Throws if the override of the tool, or an argument that it holds, stops the call. */
export function assertOverride(catalog: Catalog, tool: ToolId, params: JsonObject): void {
  const fault = catalog.overridden.faultOf(tool);
  if (fault !== undefined) {
    throw new PmlError(
      'TOOL_BLOCKED',
      `${tool} cannot be called by its "tools.override": ${fault}`,
      {
        details: { tool },
      },
    );
  }
  const refused = refuseHeld(catalog, tool, argumentsOf(params));
  if (refused === undefined) return;
  throw new PmlError('ARGUMENTS_INVALID', `args.${refused}`, { details: { tool } });
}

/** Parameters of `tools/call` as the server gets them. */
export function withFixed(override: ToolOverride | undefined, params: JsonObject): JsonObject {
  if (!override || Object.keys(override.fix).length === 0) return params;
  return { ...params, arguments: { ...argumentsOf(params), ...override.fix } };
}

/** A result without what PML took from the environment for the call: no agent may read it there. */
export function withoutFixed(override: ToolOverride | undefined, result: ToolResult): ToolResult {
  return withoutSecrets(secretValues(override?.variables ?? {}), result);
}

/** The same for a result of any tool of a server. */
export function withoutFixedOf(
  catalog: Catalog,
  server: ServerName,
  result: ToolResult,
): ToolResult {
  const secrets = catalog
    .toolsOf(server)
    .flatMap(({ id }) => secretValues(catalog.overridden.of(id)?.variables ?? {}));
  return withoutSecrets(secrets, result);
}

function withoutSecrets(secrets: readonly string[], result: ToolResult): ToolResult {
  if (secrets.length === 0) return result;
  const mask = (text: string) => maskKnown(text, secrets);
  // Only texts change.
  return mapTexts(asJsonObject(result), mask) as unknown as ToolResult;
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one: JsonValue) => mapTexts(one, change));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)] as const);
  return Object.fromEntries(entries);
}

function argumentsOf({ arguments: args }: JsonObject): JsonObject {
  return isJsonObject(args) ? args : {};
}
