import type { EdgeCounts, EdgeType, GraphDelta, NodeCounts, ToolId } from '../../src/core/index.js';
import type { ShapedCapability } from '../../src/graph/index.js';
import { seededRandom } from './seeded-random.js';

export interface SyntheticGraph {
  readonly tools: readonly ToolId[];
  readonly delta: GraphDelta;
  readonly capabilities: readonly ShapedCapability[];
}

/** Tools of a server are used with each other most of the time. */
const TOOLS_A_SERVER = 20;
const AMONG_THEMSELVES = 0.7;
const EDGES_A_TOOL = 10;
const TOOLS_A_CAPABILITY = 20;
const AT = Date.UTC(2026, 10, 1);

/** So many made-up tools with ten times as many edges, and a capability for every twenty. */
export function syntheticGraph(size: number): SyntheticGraph {
  const random = seededRandom(size);
  const tools = Array.from(
    { length: size },
    (_, n) => `server-${Math.floor(n / TOOLS_A_SERVER)}:tool_${n}` as ToolId,
  );
  const below = (count: number) => Math.floor(random() * count);
  const near = (n: number) => {
    if (random() >= AMONG_THEMSELVES) return below(size);
    const first = n - (n % TOOLS_A_SERVER);
    return first + below(Math.min(TOOLS_A_SERVER, size - first));
  };
  const edges = new Map<string, EdgeCounts>();
  const capabilities = Array.from({ length: Math.floor(size / TOOLS_A_CAPABILITY) }, (_, n) => {
    const calls = [below(size)];
    while (calls.length < 3 + (n % 4)) calls.push(near(calls.at(-1) ?? 0));
    return chain(
      `cap_${n}`,
      [...new Set(calls)].map((call) => tools[call] as ToolId),
    );
  });
  while (edges.size < size * EDGES_A_TOOL) {
    const n = below(size);
    // The square favours a few types over many.
    const type = TYPES[Math.floor(random() ** 2 * TYPES.length)] as EdgeType;
    const isOfCapability = type === 'dependency' || type === 'contains';
    const from = isOfCapability
      ? (`cap:cap_${below(capabilities.length)}` as ToolId)
      : (tools[n] as ToolId);
    const to =
      type === 'dependency' && random() < 0.2
        ? (`cap:cap_${below(capabilities.length)}` as ToolId)
        : (tools[near(n)] as ToolId);
    if (from === to) continue;
    const [observed, failed] = [1 + below(6), below(2)];
    edges.set(`${from} ${to} ${type}`, { from, to, type, observed, failed, lastAt: AT });
  }
  const nodes = tools.map((id): NodeCounts => ({
    id,
    calls: 9,
    failures: 1,
    repeats: 2,
    runs: 7,
    totalMs: 900,
    lastAt: AT,
  }));
  return { tools, delta: { nodes, edges: [...edges.values()] }, capabilities };
}

const TYPES: readonly EdgeType[] = [
  'sequence',
  'provides',
  'alternative',
  'contains',
  'dependency',
];

function chain(name: string, toolsUsed: readonly ToolId[]): ShapedCapability {
  const nodes = toolsUsed.map((tool, n) => ({ id: `n${n}`, kind: 'task', tool }));
  const edges = toolsUsed
    .slice(1)
    .map((_, n) => ({ kind: 'provides', from: `n${n}`, to: `n${n + 1}` }));
  const sequence = toolsUsed.map((tool) => `${tool}#0`);
  const current = { structure: { nodes, edges }, contains: [], toolsUsed, sequence };
  return { name, aliases: [], current };
}
