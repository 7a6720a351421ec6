import { capabilityId, seededRandom, type ToolId } from '../../core/index.js';
import type { ShapedCapability } from '../capability-shape.js';
import { byCodeUnits } from '../delta-counts.js';
import { kMeans } from './k-means.js';
import { type Entry, singularVectors } from './singular-vectors.js';

export interface SpectralOptions {
  /** A tool that is called often weighs more, by the logarithm; else each tool weighs the same. */
  readonly byFrequency?: boolean;
}

/** Into more a part that hangs together is not divided. */
const MOST_CLUSTERS = 8;
/** Chance alone makes clusters that keep a little less than this of their use to themselves. */
const LEAST_MODULARITY = 0.3;
const SEED = 7;

/** One use of a tool by a capability. */
interface Use {
  readonly tool: ToolId;
  readonly capability: ToolId;
  readonly weight: number;
}

/**
 * Which tools and capabilities belong together, by who uses whom: each has the number of its cluster.
 * Parts that share no tool are apart from the start. A part is divided by the singular vectors of its
 * matrix of tools and capabilities, made even by how much each is used, into as many clusters as keep
 * the most of their use to themselves; it stays whole where none keep clearly more than chance.
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
  const most = Math.min(MOST_CLUSTERS, tools.size, users.size);
  const whole = new Map(ids.map((id) => [id, 0]));
  if (most < 2) return whole;
  const { left, right } = singularVectors(
    { rows: tools.size, columns: users.size, entries: evenEntries(part, tools, users) },
    most,
    seededRandom(SEED),
  );
  let best = { clusters: whole, worth: LEAST_MODULARITY };
  for (let count = 2; count <= most; count++) {
    const points = [
      ...Array.from({ length: tools.size }, (_, row) => pointAt(left, row, count)),
      ...Array.from({ length: users.size }, (_, column) => pointAt(right, column, count)),
    ];
    const groups = inOrderOfFirst(kMeans(points, count, seededRandom(SEED)));
    const clusters = new Map(ids.map((id, place) => [id, groups[place] as number]));
    const worth = modularity(part, clusters);
    if (worth > best.worth) best = { clusters, worth };
  }
  return best.clusters;
}

/**
 * How much more of all use stays within clusters than would if each capability used any tool as often
 * as others use it.
 */
function modularity(part: readonly Use[], clusters: ReadonlyMap<ToolId, number>): number {
  const { ofTool, ofUser } = sumsOf(part);
  const all = part.reduce((sum, { weight }) => sum + weight, 0);
  const inCluster = (sums: ReadonlyMap<ToolId, number>) => {
    const totals = new Map<number, number>();
    for (const [id, sum] of sums) {
      const cluster = clusters.get(id) as number;
      totals.set(cluster, (totals.get(cluster) ?? 0) + sum);
    }
    return totals;
  };
  const within = part
    .filter(({ tool, capability }) => clusters.get(tool) === clusters.get(capability))
    .reduce((sum, { weight }) => sum + weight, 0);
  const [byTools, byUsers] = [inCluster(ofTool), inCluster(ofUser)];
  let expected = 0;
  for (const [cluster, sum] of byTools) expected += sum * (byUsers.get(cluster) ?? 0);
  return within / all - expected / all ** 2;
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
  const { ofTool, ofUser } = sumsOf(part);
  return part.map(({ tool, capability, weight }) => ({
    row: tools.get(tool) as number,
    column: users.get(capability) as number,
    value: weight / Math.sqrt((ofTool.get(tool) as number) * (ofUser.get(capability) as number)),
  }));
}

function sumsOf(part: readonly Use[]) {
  const ofTool = new Map<ToolId, number>();
  const ofUser = new Map<ToolId, number>();
  for (const { tool, capability, weight } of part) {
    ofTool.set(tool, (ofTool.get(tool) ?? 0) + weight);
    ofUser.set(capability, (ofUser.get(capability) ?? 0) + weight);
  }
  return { ofTool, ofUser };
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
