import { capabilityId, type ToolId } from '../core/index.js';
import type { ShapedCapability } from './capability-shape.js';
import { byCodeUnits } from './delta-counts.js';
import { kMeans } from './k-means.js';
import { seededRandom } from './seeded-random.js';
import { type Entry, singularVectors } from './singular-vectors.js';

export interface SpectralOptions {
  /** A tool that is called often weighs more, by the logarithm; else each tool weighs the same. */
  readonly byFrequency?: boolean;
}

/** Into more a part that hangs together is not divided. */
const MOST_CLUSTERS = 8;
const SEED = 7;

/** One use of a tool by a capability. */
interface Use {
  readonly tool: ToolId;
  readonly capability: ToolId;
  readonly weight: number;
}

/**
 * Which tools and capabilities belong together, by who uses whom: each has the number of its cluster.
 * Parts that share no tool are apart from the start. A part is divided where its matrix of tools and
 * capabilities, made even by how much each is used, has its largest gap between singular values.
 */
export function spectralClusters(
  capabilities: readonly ShapedCapability[],
  { byFrequency = false }: SpectralOptions = {},
): ReadonlyMap<ToolId, number> {
  const clusters = new Map<ToolId, number>();
  let count = 0;
  for (const part of partsOf(usesOf(capabilities, byFrequency))) {
    const own = divide(part);
    for (const [id, cluster] of own) clusters.set(id, count + cluster);
    count += Math.max(...own.values()) + 1;
  }
  return clusters;
}

function usesOf(capabilities: readonly ShapedCapability[], byFrequency: boolean): readonly Use[] {
  return capabilities
    .flatMap(({ name, current }) => {
      const made = new Map<string, number>();
      for (const call of current.sequence) {
        const tool = call.replace(/#\d+$/, '');
        made.set(tool, (made.get(tool) ?? 0) + 1);
      }
      return [...new Set(current.toolsUsed)].map((tool): Use => {
        const weight = byFrequency ? Math.log2((made.get(tool) ?? 1) + 1) : 1;
        return { tool, capability: capabilityId(name), weight };
      });
    })
    .toSorted((a, b) => byCodeUnits(a.tool, b.tool) || byCodeUnits(a.capability, b.capability));
}

/** Uses that hang together over tools they share. */
function partsOf(uses: readonly Use[]): readonly (readonly Use[])[] {
  const leads = new Map<ToolId, ToolId>();
  const leadOf = (id: ToolId): ToolId => {
    let at = id;
    for (let next = leads.get(at); next !== undefined && next !== at; next = leads.get(at)) {
      at = next;
    }
    leads.set(id, at);
    return at;
  };
  for (const { tool, capability } of uses) leads.set(leadOf(capability), leadOf(tool));
  const parts = new Map<ToolId, Use[]>();
  for (const use of uses) {
    const lead = leadOf(use.tool);
    const part = parts.get(lead);
    if (part) part.push(use);
    else parts.set(lead, [use]);
  }
  return [...parts.values()];
}

function divide(part: readonly Use[]): ReadonlyMap<ToolId, number> {
  const tools = numbered(part.map(({ tool }) => tool));
  const users = numbered(part.map(({ capability }) => capability));
  const ids = [...tools.keys(), ...users.keys()];
  const dimensions = Math.min(MOST_CLUSTERS + 1, tools.size, users.size);
  if (dimensions < 2) return new Map(ids.map((id) => [id, 0]));
  const random = seededRandom(SEED);
  const { values, left, right } = singularVectors(
    { rows: tools.size, columns: users.size, entries: evenEntries(part, tools, users) },
    dimensions,
    random,
  );
  // There are no more than these when all were asked for: the next is 0.
  const isAll = dimensions === Math.min(tools.size, users.size);
  const count = Math.min(MOST_CLUSTERS, largestGap(isAll ? [...values, 0] : values));
  const points = [
    ...Array.from({ length: tools.size }, (_, row) => pointAt(left, row, count)),
    ...Array.from({ length: users.size }, (_, column) => pointAt(right, column, count)),
  ];
  const groups = inOrderOfFirst(kMeans(points, count, random));
  return new Map(ids.map((id, place) => [id, groups[place] as number]));
}

function numbered(ids: readonly ToolId[]): ReadonlyMap<ToolId, number> {
  return new Map([...new Set(ids)].map((id, place) => [id, place]));
}

/** Each weight over the root of all weights of its tool, and of all of its capability. */
function evenEntries(
  part: readonly Use[],
  tools: ReadonlyMap<ToolId, number>,
  users: ReadonlyMap<ToolId, number>,
): readonly Entry[] {
  const ofTool = new Map<ToolId, number>();
  const ofUser = new Map<ToolId, number>();
  for (const { tool, capability, weight } of part) {
    ofTool.set(tool, (ofTool.get(tool) ?? 0) + weight);
    ofUser.set(capability, (ofUser.get(capability) ?? 0) + weight);
  }
  return part.map(({ tool, capability, weight }) => ({
    row: tools.get(tool) as number,
    column: users.get(capability) as number,
    value: weight / Math.sqrt((ofTool.get(tool) as number) * (ofUser.get(capability) as number)),
  }));
}

/** How many values come before the largest drop; the first is always 1, and means "all of it". */
function largestGap(values: readonly number[]): number {
  const drops = values.slice(0, -1).map((value, place) => value - (values[place + 1] as number));
  return drops.indexOf(Math.max(...drops)) + 1;
}

/** The row of a node in the first vectors, as a direction. */
function pointAt(vectors: readonly Float64Array[], row: number, count: number): Float64Array {
  const point = Float64Array.from({ length: count }, (_, k) => vectors[k]![row]!);
  const length = Math.hypot(...point);
  return length > 0 ? point.map((value) => value / length) : point;
}

function inOrderOfFirst(groups: readonly number[]): readonly number[] {
  const order = [...new Set(groups)];
  return groups.map((group) => order.indexOf(group));
}
