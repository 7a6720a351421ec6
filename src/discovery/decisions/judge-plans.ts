import {
  BUILT_IN_SERVER,
  type DecisionOutcome,
  parseToolId,
  type PastCall,
  type PlanMatch,
  type ToolId,
} from '../../core/index.js';
import { plainWords } from '../../words/index.js';
import { type Execution, type JudgedDecision, recentOf, type Shown, type Trail } from './trail.js';

/** The part of a plan that was executed so far. */
interface Followed {
  readonly called: ReadonlySet<ToolId>;
  readonly outcome: DecisionOutcome;
}

/** Plans that may still be executed further. */
const MOST_FOLLOWED = 500;
/** Requests with this share of their words in common are about the same. */
const ABOUT_THE_SAME = 0.5;
/** Operations of a script on its own data are not steps of a plan. */
const NO_STEPS: ReadonlySet<string> = new Set(['code', BUILT_IN_SERVER]);

/** Judges suggested plans and predicted steps by what clients executed. */
export class PlanJudge {
  readonly #followed = new Map<string, Followed>();

  /** The outcomes that an execution gives for what its client was shown. */
  judge(trail: Trail, execution: Execution): readonly JudgedDecision[] {
    if (trail.shown.length === 0) return [];
    const recent = recentOf(trail, execution.at);
    const steps = planSteps(execution.calls);
    if (steps.length === 0) return [];
    const plan = this.#judgePlan(recent, execution, steps);
    const judged = [...(plan ? [plan] : []), ...this.#judgeSteps(recent, execution, steps)];
    return judged.map(({ shown, followed }) => {
      this.#followed.set(shown.id, followed);
      for (const oldest of this.#followed.keys()) {
        if (this.#followed.size <= MOST_FOLLOWED) break;
        this.#followed.delete(oldest);
      }
      return { decision: shown.id, model: shown.model, outcome: followed.outcome };
    });
  }

  /** It belongs to the newest plan that shares a tool, else to the newest for the same request. */
  #judgePlan(recent: readonly Shown[], execution: Execution, steps: readonly PastCall[]) {
    const plans = recent.filter(({ algorithm }) => algorithm === 'suggest');
    const shown =
      plans.findLast(({ tools }) => steps.some(({ tool }) => tools.includes(tool))) ??
      plans.findLast((plan) => isInstead(plan, execution));
    const followed = shown && followPlan(shown, execution, this.#followed.get(shown.id));
    return shown && followed && { shown, followed };
  }

  /** Only the first new call shows whether the prediction was right. */
  #judgeSteps(recent: readonly Shown[], { run }: Execution, steps: readonly PastCall[]) {
    return recent.flatMap((shown) => {
      if (shown.after === undefined || shown.after.run !== run || this.#followed.has(shown.id)) {
        return [];
      }
      const step = without(steps, shown.after.done)[0];
      if (!step) return [];
      const place = candidatesOf(shown).indexOf(step.tool) + 1;
      const outcome = { tool: step.tool, place, ok: step.ok, run };
      return [{ shown, followed: { called: new Set([step.tool]), outcome } }];
    });
  }
}

/** A tool may be called again: each earlier call is removed once. */
function without(steps: readonly PastCall[], done: readonly ToolId[]): readonly PastCall[] {
  const left = [...done];
  return steps.filter(({ tool, ok }) => {
    const at = ok ? left.indexOf(tool) : -1;
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The calls that an agent would plan: not those inside a capability. */
export function planSteps(calls: readonly PastCall[]): readonly PastCall[] {
  return calls.filter(
    ({ tool, parent }) => parent === undefined && !NO_STEPS.has(parseToolId(tool).server),
  );
}

/**
 * A plan may be executed in parts: its calls add up until the plan is complete. An execution that
 * adds nothing gives no outcome.
 */
function followPlan(plan: Shown, execution: Execution, before?: Followed): Followed | undefined {
  const { calls, run, ok = calls.every((call) => call.ok) } = execution;
  const tools = planSteps(calls).map(({ tool }) => tool);
  const isShared = tools.some((tool) => plan.tools.includes(tool));
  const isDone = before?.outcome.match === 'exact' && before.outcome.ok;
  if (tools.length === 0 || isDone || (before && !isShared)) return undefined;
  const called = new Set([...(before?.called ?? []), ...tools]);
  const candidates = candidatesOf(plan);
  const place = candidates.findIndex((tool) => called.has(tool)) + 1;
  const tool = candidates[place - 1] ?? tools[0]!;
  const outcome = { tool, place, ok, match: matchOf(plan, called), ...(run && { run }) };
  return { called, outcome };
}

function matchOf({ tools }: Shown, called: ReadonlySet<ToolId>): PlanMatch {
  const shared = tools.filter((tool) => called.has(tool)).length;
  if (shared === 0) return 'none';
  return shared === tools.length && shared === called.size ? 'exact' : 'partly';
}

/** The client ran something else for the same request. A single call may only be exploration. */
function isInstead(plan: Shown, { intent, run }: Execution): boolean {
  return run !== undefined && (!intent || isAboutSame(intent, plan.intent));
}

function isAboutSame(one: string, other: string): boolean {
  const [words, others] = [new Set(plainWords(one)), new Set(plainWords(other))];
  const common = [...words].filter((word) => others.has(word)).length;
  return common >= ABOUT_THE_SAME * Math.max(1, Math.min(words.size, others.size));
}

function candidatesOf({ tools, others = [] }: Shown): readonly ToolId[] {
  return [...tools, ...others];
}
