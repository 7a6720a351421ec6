import type { AttentionModel, FeatureMemory, FindAlike, Incidence } from '../attention/index.js';
import type { CatalogTool, ToolId } from '../core/index.js';
import type { KnowledgeGraph, Metrics } from '../graph/index.js';
import type { BindingMemory } from '../planner/index.js';
import type { PastPlan } from './past/past-plan.js';
import type { PlanMemory } from './past/plan-memory.js';
import { repeatedRequest, type RepeatedRequest } from './past/repeated-request.js';

/** What the past tells, whatever is asked. */
export interface Knowledge {
  readonly graph: KnowledgeGraph;
  readonly metrics: Metrics;
  readonly pairs: BindingMemory;
  readonly plans: PlanMemory;
  /** What traces show about each tool. */
  readonly features?: FeatureMemory;
  /** Which tools were called together. */
  readonly runs: Incidence;
}

/** A past execution that was asked for in like words. */
export interface SimilarPlan {
  readonly plan: PastPlan;
  /** Of what all of them have to say. */
  readonly share: number;
}

export interface Likely {
  readonly tool: ToolId;
  /** That it is wanted, whatever else is. */
  readonly probability: number;
  /** What discovery says of it, one number for each of its signals. */
  readonly signals?: Float64Array;
  /** Where the intent asks for it, if it asks for several things: 0 at its beginning, 1 at its end. */
  readonly place?: number;
}

/** What discovery says of a request, by the ids of past executions. */
export interface Prospects {
  readonly likely: readonly Likely[];
  readonly similar: readonly { readonly id: string; readonly share: number }[];
  readonly trust: number;
  /** Whether meaning was compared, or words alone. Default: meaning. */
  readonly byMeaning?: boolean;
}

/** What speaks for an answer to one intent. */
export interface Evidence extends Knowledge {
  readonly intent: string;
  /** Best first. */
  readonly likely: readonly Likely[];
  /** Most alike first. */
  readonly similar: readonly SimilarPlan[];
  /** How far the most alike can be trusted to want the same. */
  readonly trust: number;
  /** Whether meaning was compared, or words alone. */
  readonly byMeaning: boolean;
  /** What served the very same request, if it was asked before. */
  readonly repeated?: RepeatedRequest;
  readonly toolOf: (id: ToolId) => CatalogTool | undefined;
  readonly alike?: FindAlike;
  /** The heads that look at the request; missing where none proved useful. */
  readonly attention?: AttentionModel;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface EvidencePorts {
  readonly toolOf: (id: ToolId) => CatalogTool | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The tools most like a tool, by meaning. */
  readonly alike?: FindAlike;
}

/** Less likely ones are noise. */
const MOST_LIKELY = 60;

/** What is known together with what discovery says of one request. */
export function evidenceOf(
  intent: string,
  { likely, similar, trust, byMeaning = true }: Prospects,
  knowledge: Knowledge,
  { toolOf, now, alike }: EvidencePorts,
): Evidence {
  const plans = similar.flatMap(({ id, share }): SimilarPlan[] => {
    const plan = knowledge.plans.get(id);
    return plan ? [{ plan, share }] : [];
  });
  const likeliest = likely.slice(0, MOST_LIKELY);
  const repeated = repeatedRequest(intent, {
    plans: knowledge.plans,
    similar: plans,
    likely: likeliest,
  });
  return {
    ...knowledge,
    intent,
    likely: likeliest,
    similar: plans,
    trust,
    byMeaning,
    ...(repeated && { repeated }),
    toolOf,
    ...(alike && { alike }),
    now: now(),
  };
}

/**
 * The evidence as if some tools did not exist. Past runs with these tools do not count for the other
 * tools. `unfit` names the tools that replace each of them; a replacement is as likely as the original.
 */
export function evidenceWithout(
  evidence: Evidence,
  unfit: ReadonlyMap<ToolId, readonly ToolId[]>,
): Evidence {
  const { repeated, ...rest } = evidence;
  const isRepeatable = repeated && ![...repeated.tools].some((tool) => unfit.has(tool));
  const likely = new Map(evidence.likely.map((one) => [one.tool, one]));
  for (const [tool, instead] of unfit) {
    const before = likely.get(tool);
    likely.delete(tool);
    for (const other of before ? instead : []) {
      const known = likely.get(other);
      if ((known?.probability ?? 0) < before!.probability) {
        likely.set(other, { ...before!, ...known, tool: other, probability: before!.probability });
      }
    }
  }
  return {
    ...rest,
    likely: [...likely.values()].toSorted((a, b) => b.probability - a.probability),
    similar: evidence.similar.filter(({ plan }) => !plan.tools.some((tool) => unfit.has(tool))),
    ...(isRepeatable && { repeated }),
    toolOf: (id) => (unfit.has(id) ? undefined : evidence.toolOf(id)),
  };
}
