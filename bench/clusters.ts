/**
 * How well clusters of tools are found again that capabilities were made from, with each tool of a
 * capability weighing the same and with weights by how often it is called. Public sets have no
 * capabilities, so these are made up: own tools and tools of other clusters, called as often as it says.
 */
import type { ToolId } from '../src/core/index.js';
import { type ShapedCapability, spectralClusters } from '../src/graph/index.js';
import { seededRandom } from './data/seeded-random.js';
import { createReport, median, type Report, type Row } from './report.js';

const CLUSTERS = 4;
const TOOLS_A_CLUSTER = 8;
const CAPABILITIES_A_CLUSTER = 10;
const OWN_TOOLS = 4;
const WORLDS = 25;

/** How many tools of others a capability calls, and how often it calls its own and theirs. */
interface Kind {
  readonly name: string;
  readonly strangers: number;
  readonly ownCalls: number;
  readonly strangerCalls: number;
}

const KINDS: readonly Kind[] = [
  { name: 'all called once', strangers: 2, ownCalls: 1, strangerCalls: 1 },
  { name: 'its own in loops', strangers: 2, ownCalls: 6, strangerCalls: 1 },
  { name: 'its own in loops, more strangers', strangers: 4, ownCalls: 6, strangerCalls: 1 },
  { name: 'strangers in loops', strangers: 2, ownCalls: 1, strangerCalls: 6 },
];

export async function run(): Promise<Report> {
  return createReport('clusters', KINDS.flatMap(measure));
}

function measure(kind: Kind): readonly Row[] {
  const worlds = Array.from({ length: WORLDS }, (_, seed) => madeWorld(kind, seed + 1));
  const found = (byFrequency: boolean) =>
    worlds.map((capabilities) => agreement(spectralClusters(capabilities, { byFrequency })));
  const [even, weighed] = [median(found(false)), median(found(true))];
  const row = (name: string, value: number): Row => ({
    name: `${kind.name}: ${name}, median`,
    value: 100 * value,
    unit: '%',
    n: WORLDS,
  });
  return [
    row('pairs right beyond chance, each the same', even),
    {
      ...row('pairs right beyond chance, log2(f + 1)', weighed),
      ...(even > 0 && { ratio: weighed / even }),
    },
  ];
}

const toolOf = (cluster: number, place: number) => `s${cluster}:t${place}` as ToolId;
const clusterOf = (tool: ToolId) => Number(/^s(\d+):/.exec(tool)?.[1]);

function madeWorld(kind: Kind, seed: number): readonly ShapedCapability[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  return Array.from({ length: CLUSTERS * CAPABILITIES_A_CLUSTER }, (_, n) => {
    const cluster = n % CLUSTERS;
    const own = Array.from({ length: OWN_TOOLS }, () => toolOf(cluster, below(TOOLS_A_CLUSTER)));
    const strangers = Array.from({ length: kind.strangers }, () =>
      toolOf((cluster + 1 + below(CLUSTERS - 1)) % CLUSTERS, below(TOOLS_A_CLUSTER)),
    );
    const toolsUsed = [...new Set([...own, ...strangers])];
    const sequence = toolsUsed.flatMap((tool) => {
      const times = clusterOf(tool) === cluster ? kind.ownCalls : kind.strangerCalls;
      return Array.from({ length: times }, (_call, at) => `${tool}#${at}`);
    });
    const current = { structure: null, contains: [], toolsUsed, sequence };
    return { name: `cap_${n}`, aliases: [], current };
  });
}

/** The adjusted Rand index over the tools: 1 for the clusters they were made from, 0 for chance. */
function agreement(clusters: ReadonlyMap<ToolId, number>): number {
  const tools = [...clusters].filter(([id]) => !id.startsWith('cap:'));
  const pairsIn = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const both = pairsIn(tools.map(([id, found]) => `${clusterOf(id)} ${found}`));
  const made = pairsIn(tools.map(([id]) => `${clusterOf(id)}`));
  const found = pairsIn(tools.map(([, cluster]) => `${cluster}`));
  const all = (tools.length * (tools.length - 1)) / 2;
  const expected = (made * found) / all;
  const most = (made + found) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}
