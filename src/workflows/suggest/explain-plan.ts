import type { PathSuccess } from '../../attention/index.js';
import type { JsonValue, SuggestionMode, ToolId } from '../../core/index.js';
import { importanceOf } from '../../graph/index.js';
import { orderTasks } from '../../plan/index.js';
import {
  type HeadReason,
  headReasons,
  namedMemberSignals,
  type Suggestion,
  type WeighedMember,
} from '../../suggest/index.js';
import type { Workflows } from '../workflows.js';
import { chainsOf } from './explain-suggestion.js';
import { type SuggestedWorkflow, suggestWorkflow } from './suggest-workflow.js';

/** The plan for an intent, and everything it is based on. */
export interface PlanExplanation {
  readonly intent: string;
  readonly mode: SuggestionMode;
  /** That the tools, and all values that PML filled in, are what was wanted. */
  readonly confidence: number;
  readonly toolConfidence: number;
  /**
   * The threshold that the confidence of the tools reached, or did not reach if the agent has to give the tasks.
   */
  readonly threshold: number;
  /** Nothing is missing, and nothing is changed by it. */
  readonly isReady: boolean;
  /** How likely all of it succeeds, by past runs; missing if its tools were never called. */
  readonly success?: ExplainedSuccess;
  /** Of the weights it was made with. */
  readonly model: string;
  /** Whether meaning was compared, or words alone. */
  readonly byMeaning: boolean;
  /** In the order they run. */
  readonly tasks: readonly ExplainedTask[];
  readonly direct: readonly ExplainedLink[];
  readonly transitive: readonly ExplainedChain[];
  /** From 0 to 1, most important first. */
  readonly pageRank: readonly { readonly tool: string; readonly importance: number }[];
  /** Past executions that were asked for in like words and called some of it. */
  readonly runs: readonly SupportingRun[];
  /** Tools that were weighed and left out. */
  readonly alternatives: readonly { readonly tool: string; readonly score: number }[];
  /** Capabilities that do several of the tasks at once. */
  readonly capabilities: readonly {
    readonly capability: string;
    readonly insteadOf: readonly string[];
  }[];
  /** Failures, rejections and cycles that lowered or removed something. */
  readonly against: readonly Objection[];
}

export interface ExplainedSuccess {
  readonly probability: number;
  /** Past runs of the step that the fewest runs called. */
  readonly runs: number;
  /** The step that is the likeliest to fail. */
  readonly weakest: {
    readonly tool: string;
    readonly calls: number;
    readonly failed: number;
    /** How it fails most often, and what its newest failure said. */
    readonly kind?: string;
    readonly lastError?: string;
  };
}

export interface ExplainedTask {
  readonly id: string;
  readonly tool: string;
  /** From 0; tasks of a layer run together. */
  readonly layer: number;
  readonly needs: readonly string[];
  /** That it is wanted. */
  readonly score: number;
  /** The strongest evidence for and against it. */
  readonly signals: readonly SignalPart[];
  /** Why heads of attention voted for it; missing where none did. */
  readonly heads?: readonly HeadReason[];
  readonly args: readonly ExplainedArgument[];
  readonly holes: readonly {
    readonly param: string;
    readonly type: string;
    readonly hint?: string;
  }[];
}

export interface SignalPart {
  readonly signal: string;
  readonly value: number;
  /** The log-odds that it added. */
  readonly share: number;
}

export interface ExplainedArgument {
  readonly param: string;
  /** One of both. */
  readonly value?: JsonValue;
  readonly from?: string;
  readonly score: number;
  readonly because: string;
  /** The past run the value comes from. */
  readonly run?: string;
}

export interface ExplainedLink {
  readonly from: string;
  readonly to: string;
  readonly score: number;
  /** Past executions in which a value went from one to the other, of those that called both. */
  readonly flowed: number;
  readonly together: number;
}

export interface ExplainedChain {
  readonly tools: readonly string[];
  /** That every link of it is right. */
  readonly score: number;
  /** How often its rarest link was seen. */
  readonly flowed: number;
}

export interface SupportingRun {
  readonly id: string;
  readonly at?: string;
  readonly intent: string;
  /** Its share of the evidence from all similar executions. */
  readonly share: number;
  readonly ok: boolean;
}

export interface Objection {
  readonly tool: string;
  readonly isInPlan: boolean;
  readonly because: string;
  /** The log-odds that it took from the tool. Missing if it removed a member or a link. */
  readonly share?: number;
}

const SHOWN_SIGNALS = 4;
const SHOWN_RUNS = 5;

/** Why an intent would be answered as it would be. Runs nothing, and leaves no trace. */
export async function explainPlan(workflows: Workflows, intent: string): Promise<PlanExplanation> {
  const suggested = await suggestWorkflow(workflows, intent);
  const { suggestion, mode, confidence, threshold, isReady, covers, success } = suggested;
  const { members, links, others } = suggestion;
  const metrics = workflows.metrics.current;
  return {
    intent: intent.trim(),
    mode,
    confidence,
    toolConfidence: suggestion.confidence,
    threshold,
    isReady,
    ...(success && { success: explainSuccess(success) }),
    model: workflows.suggester.weights.id,
    byMeaning: suggestion.evidence.byMeaning,
    tasks: explainTasks(workflows, suggested),
    direct: links.map((link) => explainLink(link, suggestion)),
    transitive: chainsOf(links).map((tools) => explainChain(tools, suggestion)),
    pageRank: members
      .map(({ tool }) => ({ tool, importance: importanceOf(metrics, tool) }))
      .toSorted((a, b) => b.importance - a.importance),
    runs: supportingRuns(workflows, suggestion),
    alternatives: others.map(({ tool, probability }) => ({ tool, score: probability })),
    capabilities: covers.map(({ capability, tasks }) => ({ capability, insteadOf: tasks })),
    against: objections(workflows, suggestion),
  };
}

function explainSuccess({ probability, runs, weakest }: PathSuccess): ExplainedSuccess {
  const { tool, calls, worked, usualFailure, lastError } = weakest;
  return {
    probability,
    runs,
    weakest: {
      tool,
      calls,
      failed: calls - worked,
      ...(usualFailure && { kind: usualFailure }),
      ...(lastError !== undefined && { lastError }),
    },
  };
}

function explainTasks(
  workflows: Workflows,
  { suggestion, filled }: SuggestedWorkflow,
): readonly ExplainedTask[] {
  const memberOf = new Map(suggestion.members.map((member) => [member.tool, member]));
  const reasons = headReasons(suggestion.evidence, [...memberOf.keys()]);
  return orderTasks(filled.plan).flatMap((layer, place) =>
    layer.map(({ id, tool, needs }): ExplainedTask => {
      const member = memberOf.get(tool);
      const heads = reasons.get(tool) ?? [];
      return {
        id,
        tool,
        layer: place,
        needs,
        score: member?.probability ?? 0,
        signals: member ? partsOf(workflows, member).slice(0, SHOWN_SIGNALS) : [],
        ...(heads.length > 0 && { heads }),
        args: [...valuesOf(filled, id), ...bindingsOf(filled, id)],
        holes: filled.holes
          .filter(({ task }) => task === id)
          .map(({ param, type, hint }) => ({ param, type, ...(hint !== undefined && { hint }) })),
      };
    }),
  );
}

function valuesOf({ values }: SuggestedWorkflow['filled'], id: string) {
  return values
    .filter(({ task }) => task === id)
    .map(({ param, value, score, because, run }): ExplainedArgument => {
      return { param, value, score, because, ...(run !== undefined && { run }) };
    });
}

function bindingsOf({ bindings }: SuggestedWorkflow['filled'], id: string) {
  return bindings
    .filter(({ to }) => to === id)
    .map(({ from, path, param, score, reasons }): ExplainedArgument => {
      const because = reasons.map(({ text }) => text).join('; ');
      return { param, from: path ? `${from}.${path}` : from, score, because };
    });
}

/** What each signal added to the log-odds of a member, the strongest first. */
function partsOf(
  { suggester }: Workflows,
  { signals, added = 0 }: WeighedMember,
): readonly SignalPart[] {
  const { plan } = suggester.weights;
  const own = Object.entries(namedMemberSignals(signals)).map(([signal, value]) => {
    return { signal, value, share: value * (plan[signal] ?? 0) };
  });
  return [...own, { signal: 'traces', value: added, share: added }]
    .filter(({ signal, share }) => share !== 0 && signal !== 'bias')
    .toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share));
}

function explainLink(
  { from, to, probability }: Suggestion['links'][number],
  { evidence }: Suggestion,
): ExplainedLink {
  const { flowedRuns: flowed, together } = evidence.pairs.pair(from, to);
  return { from, to, score: probability, flowed, together };
}

function explainChain(tools: readonly ToolId[], suggestion: Suggestion): ExplainedChain {
  const steps = tools.slice(1).flatMap((to, place) => {
    const link = suggestion.links.find((one) => one.from === tools[place] && one.to === to);
    return link ? [explainLink(link, suggestion)] : [];
  });
  return {
    tools,
    score: steps.reduce((all, { score }) => all * score, 1),
    flowed: Math.min(...steps.map(({ flowed }) => flowed)),
  };
}

function supportingRuns(
  { tools: { discovery } }: Workflows,
  { members, evidence }: Suggestion,
): readonly SupportingRun[] {
  const own = new Set(members.map(({ tool }) => tool));
  const shown = evidence.similar
    .filter(({ plan }) => plan.tools.some((tool) => own.has(tool)))
    .slice(0, SHOWN_RUNS);
  return shown.map(({ plan: { id, intent, ok }, share }) => {
    const at = discovery.trace(id)?.at.toISOString();
    return { id, ...(at !== undefined && { at }), intent, share, ok };
  });
}

function objections(workflows: Workflows, suggestion: Suggestion): readonly Objection[] {
  const { members, others, broken, evidence } = suggestion;
  const judged = [...members, ...others].flatMap((member): Objection[] => {
    const { tool } = member;
    const isInPlan = members.includes(member);
    return partsOf(workflows, member).flatMap(({ signal, share }) => {
      if (share >= 0) return [];
      const because = objection(
        signal,
        workflows.graph.node(tool),
        evidence.plans.rejections(tool),
      );
      return because === undefined ? [] : [{ tool, isInPlan, because, share }];
    });
  });
  return [
    ...judged.toSorted((a, b) => (a.share ?? 0) - (b.share ?? 0)),
    ...broken.map(({ from, to, probability }) => ({
      tool: to,
      isInPlan: true,
      because: `takes no value from ${from} (likely: ${probability.toFixed(2)}): that would close a cycle`,
    })),
  ];
}

function objection(
  signal: string,
  node: { readonly calls: number; readonly failures: number } | undefined,
  rejections: number,
): string | undefined {
  if (signal === 'rejected') return `rejected by a person in ${rejections} executions`;
  if (signal !== 'reliability') return undefined;
  if (!node || node.failures === 0) return 'a tool that it calls fails more often than usual';
  return `failed in ${node.failures} of ${node.calls} calls`;
}
