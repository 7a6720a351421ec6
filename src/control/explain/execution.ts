import type { ExecutionTrace, RunId } from '../../core/index.js';
import { type GraphEdge, graphOf, type LiveGraph } from '../../graph/index.js';
import { predictSteps, type Workflows } from '../../workflows/index.js';
import type {
  ExecutionExplanation,
  LeadingDecision,
  LikeExecution,
  TaughtEdge,
} from '../contract/explain.js';

const SHOWN_SIMILAR = 5;
const SHOWN_DECISIONS = 10;
const SHOWN_CANDIDATES = 3;

export async function explainExecution(
  { workflows, graph }: { readonly workflows: Workflows; readonly graph: LiveGraph },
  trace: ExecutionTrace,
): Promise<ExecutionExplanation> {
  const { id, intent, at, ok, ms, calls, bindings } = trace;
  return {
    id: trace.run ?? id,
    intent,
    at: at.toISOString(),
    ok,
    ...(ms !== undefined && { ms }),
    from: trace.run ? await leadingTo(workflows, trace.run, calls) : [],
    calls: calls.map(({ tool, ok: worked, ms: took, args }, place) => ({
      tool,
      ok: worked,
      ...(took !== undefined && { ms: took }),
      depth: depthOf(trace, place),
      ...(args && { args }),
    })),
    flows: bindings.map(({ from, to, field, param }) => ({
      from,
      to,
      ...(field !== undefined && { field }),
      ...(param !== undefined && { param }),
    })),
    edges: taughtEdges(graph, trace),
    similar: similarTo(workflows, id),
    next: await predictSteps(workflows, trace),
  };
}

async function leadingTo(
  { tools: { discovery } }: Workflows,
  run: RunId,
  calls: ExecutionTrace['calls'],
): Promise<readonly LeadingDecision[]> {
  const decisions = (await discovery.decisions({ limit: SHOWN_DECISIONS, run })) ?? [];
  return decisions.map(({ algorithm, at, intent, candidates, shown, verdict, outcome }) => ({
    algorithm,
    at: at.toISOString(),
    intent,
    tool: outcome?.tool ?? '',
    place: outcome?.place ?? 0,
    tools: candidates.slice(0, shown).map(({ tool }) => tool),
    candidates: candidates.slice(0, Math.max(shown, SHOWN_CANDIDATES)).map(({ tool, score }) => {
      const args = calls.findLast((call) => call.tool === tool)?.args;
      return { tool, score, ...(args && { args }) };
    }),
    ...(verdict && { confidence: verdict.confidence, mode: verdict.mode }),
    ...(outcome?.match && { match: outcome.match }),
  }));
}

function depthOf({ calls }: ExecutionTrace, place: number): number {
  let depth = 0;
  // `above < at` ends the loop even for a malformed record: a caller comes before its calls.
  for (let at = place, above = calls[at]?.parent; above !== undefined && above < at;) {
    depth += 1;
    at = above;
    above = calls[at]?.parent;
  }
  return depth;
}

/** The result of folding this execution alone, with the same fold that makes the graph. */
export function taughtEdges({ graph }: LiveGraph, trace: ExecutionTrace): readonly TaughtEdge[] {
  const keyOf = ({ from, to, type }: Pick<GraphEdge, 'from' | 'to' | 'type'>) =>
    JSON.stringify([from, to, type]);
  const refused = new Map(graph.refused.map((edge) => [keyOf(edge), edge]));
  return graphOf([trace])
    .edges.map((own) => {
      const kept = graph.edge(own.from, own.to, own.type);
      const known = kept ?? refused.get(keyOf(own));
      return {
        from: own.from,
        to: own.to,
        type: own.type,
        worked: own.observed > 0,
        weight: known?.weight ?? 0,
        observed: known?.observed ?? own.observed,
        failed: known?.failed ?? own.failed,
        isLeftOut: kept === undefined,
      };
    })
    .toSorted((one, other) => other.weight - one.weight);
}

function similarTo({ tools: { discovery } }: Workflows, id: string): readonly LikeExecution[] {
  const similar = discovery.weighAgain(id)?.similar.slice(0, SHOWN_SIMILAR) ?? [];
  return similar.flatMap(({ id: other, share }) => {
    const trace = discovery.trace(other);
    if (!trace) return [];
    const { run, at, intent, ok, calls } = trace;
    const own = calls.filter(({ parent }) => parent === undefined).map(({ tool }) => tool);
    const tools = [...new Set(own)];
    return [{ id: run ?? other, at: at.toISOString(), intent, ok, share, tools }];
  });
}
