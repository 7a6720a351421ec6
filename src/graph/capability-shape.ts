import {
  type Capability,
  capabilityId,
  type CapabilityVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolId,
} from '../core/index.js';

/** What the graph has to know of a capability. */
export type ShapedCapability = Pick<Capability, 'name' | 'aliases'> & {
  readonly current: Pick<CapabilityVersion, 'structure' | 'contains' | 'toolsUsed' | 'sequence'>;
};

/** The calls of a capability and how they hang together. Numbers are places in `calls`. */
export interface CapabilityShape {
  readonly id: ToolId;
  /** In the order they are reached; a tool that is called in two places is in it twice. */
  readonly calls: readonly ToolId[];
  /** The result of the first goes into the second, directly or through operations on data. */
  readonly flows: readonly Link[];
  /** The first comes right before the second; flows are among them. */
  readonly order: readonly Link[];
  /** Calls nothing comes before, and calls nothing comes after. */
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Each of the calls is made exactly once, whatever the values are. */
  readonly isStraight: boolean;
}

export type Link = readonly [from: number, to: number];

/** Shapes of capabilities; those that others call by an old name are found under their present one. */
export function shapesOf(capabilities: readonly ShapedCapability[]): readonly CapabilityShape[] {
  const names = new Map<string, string>();
  for (const { name, aliases } of capabilities) {
    for (const alias of aliases) names.set(alias, name);
  }
  for (const { name } of capabilities) names.set(name, name);
  return capabilities.map((one) => shapeOf(one, (name) => capabilityId(names.get(name) ?? name)));
}

type NameCapability = (name: string) => ToolId;

function shapeOf({ name, current }: ShapedCapability, idOf: NameCapability): CapabilityShape {
  const { nodes, edges, isStraight } = readStructure(current.structure, idOf);
  const calls = nodes.flatMap(({ call }) => call ?? []);
  const id = capabilityId(name);
  if (calls.length === 0) return shapeOfSequence(id, current, idOf);
  const flows = linksOf(nodes, edges, isFlow);
  const order = linksOf(nodes, edges, isOrder);
  const missing = [...current.toolsUsed, ...current.contains.map(idOf)].filter(
    (tool) => !calls.includes(tool) && !isOperation(tool),
  );
  return {
    id,
    calls: [...calls, ...missing],
    flows,
    order,
    ...endsOf(calls.length, order),
    isStraight: isStraight && missing.length === 0,
  };
}

/** All that is known without a structure: what was called at its last proof, in order. */
function shapeOfSequence(
  id: ToolId,
  { sequence, toolsUsed, contains }: ShapedCapability['current'],
  idOf: NameCapability,
): CapabilityShape {
  const made = sequence
    .map((call) => call.replace(/#\d+$/, '') as ToolId)
    .filter((tool) => !isOperation(tool));
  const order = made.slice(1).map((_, place): Link => [place, place + 1]);
  const missing = [...toolsUsed, ...contains.map(idOf)].filter(
    (tool) => !made.includes(tool) && !isOperation(tool),
  );
  const calls = [...made, ...missing];
  return { id, calls, flows: [], order, ...endsOf(calls.length, order), isStraight: false };
}

function isOperation(tool: string): boolean {
  return tool.startsWith('code:');
}

interface ReadNode {
  readonly id: string;
  /** Missing for what is no call, such as a loop or an operation. */
  readonly call?: ToolId;
}

interface ReadEdge {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

interface ReadStructure {
  readonly nodes: readonly ReadNode[];
  readonly edges: readonly ReadEdge[];
  readonly isStraight: boolean;
}

/** Structures of other versions of PML may look different: what is not understood is passed over. */
function readStructure(structure: JsonValue, idOf: NameCapability): ReadStructure {
  const { nodes = [], edges = [], isCut, reach } = isJsonObject(structure) ? structure : {};
  const all = objectsIn(nodes);
  const isOpen = isJsonObject(reach ?? null) && (reach as JsonObject)['isOpen'] === true;
  const isStraight =
    isCut !== true && !isOpen && all.every(({ kind }) => kind !== 'decision' && kind !== 'loop');
  return {
    nodes: all.flatMap((node) => {
      const { id, tool, capability } = node;
      if (typeof id !== 'string') return [];
      if (typeof tool === 'string') return [{ id, call: tool as ToolId }];
      return [{ id, ...(typeof capability === 'string' && { call: idOf(capability) }) }];
    }),
    edges: objectsIn(edges).flatMap(({ kind, from, to }) =>
      typeof kind === 'string' && typeof from === 'string' && typeof to === 'string'
        ? [{ kind, from, to }]
        : [],
    ),
    isStraight,
  };
}

function objectsIn(value: JsonValue): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one): one is JsonObject => isJsonObject(one)) : [];
}

const isFlow = ({ kind }: ReadEdge) => kind === 'provides';
/** A branch begins after its decision, and what is in a loop after the loop began. */
const isOrder = (_edge: ReadEdge) => true;

/** Links between calls: what lies between two of them and is none itself is stepped over. */
function linksOf(
  nodes: readonly ReadNode[],
  edges: readonly ReadEdge[],
  isMeant: (edge: ReadEdge) => boolean,
): readonly Link[] {
  const after = new Map<string, string[]>();
  for (const edge of edges) {
    if (!isMeant(edge)) continue;
    const next = after.get(edge.from);
    if (next) next.push(edge.to);
    else after.set(edge.from, [edge.to]);
  }
  const callers = nodes.filter(({ call }) => call !== undefined);
  const places = new Map(callers.map(({ id }, place) => [id, place]));
  return callers.flatMap(({ id }, from) => {
    const met = new Set(after.get(id));
    const found = new Set<number>();
    // Grows while it is read.
    for (const node of met) {
      const to = places.get(node);
      if (to === undefined) for (const next of after.get(node) ?? []) met.add(next);
      else if (to !== from) found.add(to);
    }
    return [...found].map((to): Link => [from, to]);
  });
}

/** Where everything is in a circle, what is reached first and last stands for the ends. */
function endsOf(count: number, order: readonly Link[]): Pick<CapabilityShape, 'first' | 'last'> {
  const places = Array.from({ length: count }, (_, place) => place);
  const followed = new Set(order.map(([from]) => from));
  const preceded = new Set(order.map(([, to]) => to));
  const first = places.filter((place) => !preceded.has(place));
  const last = places.filter((place) => !followed.has(place));
  return {
    first: first.length > 0 ? first : places.slice(0, 1),
    last: last.length > 0 ? last : places.slice(-1),
  };
}
