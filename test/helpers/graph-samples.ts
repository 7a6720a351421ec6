import fc from 'fast-check';

import {
  type ExecutionTrace,
  type JsonValue,
  parseToolId,
  type PastBinding,
  type PastCall,
  type ToolId,
  type EdgeCounts,
  type EdgeType,
  type GraphDelta,
} from '../../src/core/index.js';
import { KnowledgeGraph, type ShapedCapability } from '../../src/graph/index.js';

export const id = (text: string): ToolId => parseToolId(text).id;

/** A call that worked, or, with `!` before its name, one that failed. */
export function aCall(name: string, more: Partial<PastCall> = {}): PastCall {
  return { tool: id(name.replace('!', '')), ok: !name.startsWith('!'), ...more };
}

export const AT = Date.UTC(2026, 10, 2);

export function aTrace(
  calls: readonly (string | PastCall)[],
  bindings: readonly PastBinding[] = [],
  at = AT,
): ExecutionTrace {
  return {
    id: 'trace',
    intent: '',
    at: new Date(at),
    source: 'live',
    ok: true,
    calls: calls.map((call) => (typeof call === 'string' ? aCall(call) : call)),
    bindings,
  };
}

export type EdgeText = readonly [from: string, to: string, type: EdgeType, observed?: number];

/** Edges that were observed so often, three times unless it says otherwise. */
export function edgesDelta(...edges: readonly EdgeText[]): GraphDelta {
  return {
    nodes: [],
    edges: edges.map(([from, to, type, observed = 3]): EdgeCounts => ({
      from: id(from),
      to: id(to),
      type,
      observed,
      failed: 0,
      lastAt: AT,
    })),
  };
}

export function graphWith(...edges: readonly EdgeText[]): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  graph.apply(edgesDelta(...edges));
  return graph;
}

/** A capability that calls one after the other, each with the result of the one before. */
export function aChain(
  name: string,
  calls: readonly string[],
  more: Partial<ShapedCapability> = {},
): ShapedCapability {
  const nodes = calls.map((call, place) => nodeOf(call, `n${place}`));
  const edges = calls
    .slice(1)
    .flatMap((_, place) =>
      ['sequence', 'provides'].map((kind) => ({ kind, from: `n${place}`, to: `n${place + 1}` })),
    );
  return withStructure(name, { nodes, edges, isCut: false }, more);
}

function nodeOf(call: string, nodeId: string): Record<string, JsonValue> {
  return call.startsWith('cap:')
    ? { id: nodeId, kind: 'capability', capability: call.slice(4) }
    : { id: nodeId, kind: 'task', tool: call };
}

export function withStructure(
  name: string,
  structure: JsonValue,
  more: Partial<ShapedCapability> = {},
): ShapedCapability {
  const current = { structure, contains: [], toolsUsed: [], sequence: [] };
  return { name, aliases: [], current, ...more };
}

const NAMES = ['a:one', 'a:two', 'b:three', 'code:map', 'cap:x', 'cap:y', 'cap:z'];

/** Executions with anything in them, also what can hardly be. */
export const anyTrace: fc.Arbitrary<ExecutionTrace> = fc
  .record({
    calls: fc.array(
      fc.record(
        {
          tool: fc.constantFrom(...NAMES).map(id),
          ok: fc.boolean(),
          ms: fc.double({ min: 0, max: 1_000, noNaN: true }),
          startMs: fc.nat(50),
          parent: fc.nat(9),
        },
        { requiredKeys: ['tool', 'ok'] },
      ),
      { maxLength: 8 },
    ),
    bindings: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9) }), { maxLength: 6 }),
    at: fc.nat(1_000_000),
    before: fc.array(fc.record({ tool: fc.constantFrom(...NAMES).map(id), ok: fc.boolean() }), {
      maxLength: 2,
    }),
  })
  .map(({ calls, bindings, at, before }) => ({ ...aTrace(calls, bindings, at), before }));

/** Sets of capabilities that call tools and each other, in circles too. */
export const anyCapabilities: fc.Arbitrary<readonly ShapedCapability[]> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('x', 'y', 'z'),
      calls: fc.array(fc.constantFrom(...NAMES.filter((name) => !name.startsWith('code:'))), {
        maxLength: 4,
      }),
    }),
    { selector: ({ name }) => name },
  )
  .map((all) => all.map(({ name, calls }) => aChain(name, calls)));
