import {
  type CatalogTool,
  hashDefinition,
  heldParameters,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
  type ToolOverride,
} from '../core/index.js';

/** Branches of a schema, each of which speaks of the same parameters. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf'];

/** A tool as agents see it. Its hash speaks of what they see, not of what its server lists. */
export function overrideTool(tool: CatalogTool, override: ToolOverride): CatalogTool {
  const definition = overrideDefinition(tool.definition, override);
  return { ...tool, definition, hash: hashDefinition(definition) };
}

function overrideDefinition(definition: ToolDefinition, override: ToolOverride): ToolDefinition {
  const { description, annotations } = override;
  return {
    ...definition,
    ...(description !== undefined && { description }),
    inputSchema: withoutParameters(definition.inputSchema, {
      held: heldParameters(override),
      given: new Set(Object.keys(override.fix)),
    }),
    ...(annotations && { annotations: { ...definition.annotations, ...annotations } }),
  };
}

interface Held {
  readonly held: ReadonlySet<string>;
  /** Those of them that every call has. */
  readonly given: ReadonlySet<string>;
}

/** The schema without these parameters; what a given one demands stays demanded. */
function withoutParameters(schema: JsonObject, { held, given }: Held): JsonObject {
  if (held.size === 0) return schema;
  const { properties, required, dependentRequired: dependents, ...rest } = schema;
  const demanded = Object.entries(isJsonObject(dependents) ? dependents : {});
  const implied = demanded.flatMap(([name, names]) => (given.has(name) ? textsOf(names) : []));
  const needed = [...new Set([...textsOf(required), ...implied])].filter((one) => !held.has(one));
  const left = demanded
    .filter(([name]) => !held.has(name))
    .map(([name, names]) => [name, textsOf(names).filter((one) => !held.has(one))] as const);
  return {
    ...withoutInBranches(rest, { held, given }),
    ...(isJsonObject(properties) && { properties: withoutKeys(properties, held) }),
    ...((required !== undefined || needed.length > 0) && { required: needed }),
    ...(dependents !== undefined && { dependentRequired: Object.fromEntries(left) }),
  };
}

function withoutInBranches(schema: JsonObject, held: Held): JsonObject {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (!BRANCHES.includes(key) || !Array.isArray(value)) return [key, value] as const;
    const branches = value.map((branch: JsonValue) =>
      isJsonObject(branch) ? withoutParameters(branch, held) : branch,
    );
    return [key, branches] as const;
  });
  return Object.fromEntries(entries);
}

function withoutKeys(object: JsonObject, held: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !held.has(key)));
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Why no call can succeed: a hidden parameter that the server demands, or a missing variable. */
export function overrideFault(
  override: ToolOverride,
  tool: CatalogTool | undefined,
): string | undefined {
  if (override.fault !== undefined) return override.fault;
  const required = textsOf(tool?.definition.inputSchema['required']);
  const hidden = override.hide.filter((name) => required.includes(name) && !(name in override.fix));
  if (hidden.length === 0) return undefined;
  return `it hides ${hidden.join(', ')}, which its server requires; give it a value with "fix" instead`;
}

/** Parameters that the override names and the server does not know. */
export function strangeParameters(override: ToolOverride, tool: CatalogTool): readonly string[] {
  const { properties } = tool.definition.inputSchema;
  const known = isJsonObject(properties) ? properties : {};
  return [...heldParameters(override)].filter((name) => !Object.hasOwn(known, name));
}
