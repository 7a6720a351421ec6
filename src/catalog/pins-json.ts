import type {
  JsonObject,
  JsonValue,
  ServerName,
  ServerPins,
  ToolChange,
  ToolPin,
} from '../core/index.js';

interface Pins {
  readonly servers: ReadonlyMap<ServerName, ServerPins>;
  readonly changes: readonly ToolChange[];
}

/** Lists instead of objects: a tool may be called `__proto__`. */
export function toJson(
  servers: Pins['servers'],
  changes: readonly ToolChange[],
): JsonObject & { readonly servers: readonly JsonValue[] } {
  return {
    servers: [...servers].map(([name, { configHash, tools }]) => ({
      name,
      configHash,
      tools: [...tools].map(([tool, pin]) => ({ name: tool, ...toPin(pin) })),
    })),
    changes: changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })),
  };
}

interface StoredPins {
  readonly servers: readonly {
    readonly name: ServerName;
    readonly configHash: string;
    readonly tools: readonly (ToolPin & { readonly name: string })[];
  }[];
  readonly changes: readonly (Omit<ToolChange, 'at'> & { readonly at: string })[];
}

/** Of our own writing: its checksum was right. */
export function fromJson(value: JsonValue): Pins {
  const { servers, changes } = value as unknown as StoredPins;
  return {
    servers: new Map(
      servers.map(({ name, configHash, tools }) => [
        name,
        {
          configHash,
          tools: new Map(tools.map((tool) => [tool.name, toPin(tool)])),
        },
      ]),
    ),
    changes: changes.map((change) => ({ ...change, at: new Date(change.at) })),
  };
}

function toPin({ approved, seen, isBlocked }: ToolPin): ToolPin {
  return { approved, seen, ...(isBlocked && { isBlocked }) };
}
