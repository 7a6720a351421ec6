import { configJsonSchema } from '../../src/config/json-schema.js';
import { tableOf } from './table.js';

/** The part of JSON Schema that the schema of `pml.json` uses. */
export interface ConfigSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly items?: ConfigSchema;
  readonly anyOf?: readonly ConfigSchema[];
  readonly additionalProperties?: ConfigSchema | boolean;
}

const HEAD = ['key', 'values', 'default', 'meaning'];

/** All keys of `pml.json`: those of a server, single settings, then a section for each group. */
export function configTables(): string {
  const { properties = {} } = configJsonSchema() as ConfigSchema;
  const all = Object.entries(properties);
  const servers = properties['mcpServers']?.additionalProperties as ConfigSchema;
  const single = all.filter(([key, one]) => key !== 'mcpServers' && keysOf(one).length === 0);
  const groups = all.filter(([key, one]) => key !== 'mcpServers' && keysOf(one).length > 0);
  return [
    '### Servers',
    'Each entry of `mcpServers` describes one server.',
    tableOf(HEAD, rowsOf(keysOf(servers))),
    '### Single settings',
    tableOf(HEAD, rowsOf(single)),
    ...groups.flatMap(([key, one]) => [
      `### ${key}`,
      ...(one.description ? [one.description] : []),
      tableOf(HEAD, rowsOf(keysOf(one, `${key}.`))),
    ]),
  ].join('\n\n');
}

type Key = readonly [path: string, schema: ConfigSchema];

/** The keys inside a schema, with their whole path; objects inside are opened. */
export function keysOf(schema: ConfigSchema, prefix = ''): readonly Key[] {
  const inner = [schema, ...(schema.anyOf ?? [])].flatMap((one) =>
    Object.entries(one.properties ?? {}),
  );
  const seen = new Map<string, ConfigSchema>();
  for (const [key, value] of inner) {
    const path = `${prefix}${key}`;
    const deeper = keysOf(value, `${path}.`);
    for (const [name, one] of deeper.length > 0 ? deeper : [[path, value] as const]) {
      seen.set(name, joined(seen.get(name), one));
    }
  }
  return [...seen];
}

/** A key that two kinds of servers have, such as `type`. */
function joined(one: ConfigSchema | undefined, other: ConfigSchema): ConfigSchema {
  if (!one || JSON.stringify(one) === JSON.stringify(other)) return other;
  return { ...one, ...other, anyOf: [one, other] };
}

function rowsOf(keys: readonly Key[]): string[][] {
  return keys.map(([path, schema]) => [
    `\`${path}\``,
    valuesOf(schema),
    schema.default === undefined ? '–' : `\`${JSON.stringify(schema.default)}\``,
    schema.description ?? '–',
  ]);
}

/** What may be written there, in short. */
function valuesOf(schema: ConfigSchema): string {
  const { anyOf, items, additionalProperties } = schema;
  if (anyOf) return [...new Set(anyOf.map(valuesOf))].join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (items) return `list of ${valuesOf(items)}`;
  if (typeof additionalProperties === 'object') return `map to ${valuesOf(additionalProperties)}`;
  return schema.type ?? 'any';
}
