import {
  asText,
  type ExecutionTrace,
  type JsonObject,
  type PlanMatch,
  PmlError,
  type RunId,
  runId,
  type SuggestionMode,
} from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';
import { type GraphEdge, graphOf, type LiveGraph } from '../../graph/index.js';
import { MOST_INTENT_CHARACTERS } from '../../tools/index.js';
import { explainPlan, type PredictedStep, predictSteps } from '../../workflows/index.js';
import { asJson } from '../as-json.js';
import { FIRST_LISTING_MS } from '../search/search.js';

export type { PlanExplanation } from '../../workflows/index.js';

interface ExplainingDaemon {
  readonly gateway: Gateway;
  readonly graph: LiveGraph;
  store(): Promise<object>;
}

/** What a past execution came from, did, and taught. */
export interface ExecutionExplanation {
  readonly id: string;
  /** Empty when nobody said. */
  readonly intent: string;
  readonly at: string;
  readonly ok: boolean;
  readonly ms?: number;
  /** Decisions that led to it, newest first. */
  readonly from: readonly LeadingDecision[];
  /** In the order they were made. */
  readonly calls: readonly ExplainedCall[];
  readonly flows: readonly ExplainedFlow[];
  /** Of the graph, those it was seen to use, as they are now. */
  readonly edges: readonly TaughtEdge[];
  /** Others that were asked for in like words, most alike first. */
  readonly similar: readonly LikeExecution[];
  /** What would probably be called next, if anything were, likeliest first. */
  readonly next: readonly PredictedStep[];
}

export interface LeadingDecision {
  readonly algorithm: string;
  readonly at: string;
  readonly intent: string;
  /** The tool that was called, and its place among the candidates; 0: not among them. */
  readonly tool: string;
  readonly place: number;
  readonly tools: readonly string[];
  /** Likeliest first, with those that were not taken. */
  readonly candidates: readonly {
    readonly tool: string;
    /** From 0 to 1. */
    readonly score: number;
    /** What this execution gave to it, as far as that was written and is kept; missing if nothing. */
    readonly args?: JsonObject;
  }[];
  readonly confidence?: number;
  readonly mode?: SuggestionMode;
  readonly match?: PlanMatch;
}

export interface ExplainedCall {
  readonly tool: string;
  readonly ok: boolean;
  readonly ms?: number;
  /** How deep inside of scripts and capabilities it was called. */
  readonly depth: number;
  readonly args?: JsonObject;
}

export interface ExplainedFlow {
  /** Places in `calls`. */
  readonly from: number;
  readonly to: number;
  readonly field?: string;
  readonly param?: string;
}

export interface TaughtEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** Whether this execution speaks for it, or against it because the later call failed. */
  readonly worked: boolean;
  readonly weight: number;
  /** Executions in which it worked and in which it failed, this one among them. */
  readonly observed: number;
  readonly failed: number;
  /** With stronger edges it would close a cycle. */
  readonly isLeftOut: boolean;
}

export interface LikeExecution {
  readonly id: string;
  readonly at: string;
  readonly intent: string;
  readonly ok: boolean;
  readonly share: number;
  readonly tools: readonly string[];
}

const SHOWN_SIMILAR = 5;
const SHOWN_DECISIONS = 10;
const SHOWN_CANDIDATES = 3;
const RUN = /^run_/;

/** `{plan}` for an intent, `{execution}` for the id of a run or of another execution. */
export async function explain(daemon: ExplainingDaemon, params: JsonObject): Promise<JsonObject> {
  const { gateway } = daemon;
  const what = readWhat(params);
  // What is stored is known only once it is taken up.
  await daemon.store();
  await daemon.graph.settled();
  await gateway.catalogLoaded;
  const trace = await gateway.discovery.recall(what);
  if (trace) return asJson({ execution: await explainExecution(daemon, trace) });
  if (RUN.test(what) && !what.includes(' ')) await refuseRun(gateway, what);
  await gateway.firstListing(FIRST_LISTING_MS);
  if (gateway.index.size === 0) {
    throw new PmlError(
      'TOOL_UNKNOWN',
      'No server shows any tool, so there is nothing to plan with. See `pml status`',
    );
  }
  return asJson({ plan: await explainPlan(gateway, gateway.mask(what)) });
}

async function explainExecution(
  { gateway, graph }: ExplainingDaemon,
  trace: ExecutionTrace,
): Promise<ExecutionExplanation> {
  const { id, intent, at, ok, ms, calls, bindings } = trace;
  return {
    id: trace.run ?? id,
    intent,
    at: at.toISOString(),
    ok,
    ...(ms !== undefined && { ms }),
    from: trace.run ? await leadingTo(gateway, trace.run, calls) : [],
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
    similar: similarTo(gateway, id),
    next: await predictSteps(gateway, trace),
  };
}

async function leadingTo(
  { discovery }: Gateway,
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
  // A caller comes before what it calls, whoever wrote the record.
  for (let at = place, above = calls[at]?.parent; above !== undefined && above < at;) {
    depth += 1;
    at = above;
    above = calls[at]?.parent;
  }
  return depth;
}

/** What the same fold that makes the graph makes of this execution alone. */
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

function similarTo({ discovery }: Gateway, id: string): readonly LikeExecution[] {
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

/** Says what is the matter with a run that nothing is remembered of. */
async function refuseRun({ runs }: Gateway, what: string): Promise<never> {
  const { phase } = await runs.find(runId(what));
  if (phase !== 'finished') {
    throw new PmlError(
      'RUN_UNKNOWN',
      `${what} is not over yet: it is explained when it is. \`pml show ${what}\` shows how far it is`,
    );
  }
  throw new PmlError(
    'RUN_UNKNOWN',
    `Nothing is remembered of ${what}: it called no tool, or is too long ago. \`pml show ${what}\` shows what is left`,
  );
}

function readWhat(params: JsonObject): string {
  const what = asText(params['what']).trim();
  if (!what) throw new PmlError('BAD_REQUEST', 'Say what is wanted, or give the id of a run');
  if (what.length <= MOST_INTENT_CHARACTERS) return what;
  throw new PmlError(
    'BAD_REQUEST',
    `The intent has ${what.length} characters, at most ${MOST_INTENT_CHARACTERS} are read; say it in a sentence`,
  );
}
