import type { SpeculationSettings, ToolId } from '../../core/index.js';

const MINUTE_MS = 60_000;

/** What calls made ahead have taken in the present minute. */
export interface AheadBudget {
  /** Milliseconds, when the minute began. */
  readonly since: number;
  readonly calls: number;
  readonly ms: number;
  readonly bytes: number;
}

export type AheadLimits = Pick<
  SpeculationSettings,
  'callsPerMinute' | 'msPerMinute' | 'bytesPerMinute'
>;

export const FRESH_BUDGET: AheadBudget = { since: 0, calls: 0, ms: 0, bytes: 0 };

/** The budget at a time: every minute begins with nothing spent. */
function budgetAt(budget: AheadBudget, now: number): AheadBudget {
  return now - budget.since < MINUTE_MS ? budget : { ...FRESH_BUDGET, since: now };
}

/** Adds what a call took; a call that begins counts at once, its time and bytes when it ended. */
export function spendAhead(
  budget: AheadBudget,
  spent: Partial<Omit<AheadBudget, 'since'>>,
  now: number,
): AheadBudget {
  const current = budgetAt(budget, now);
  return {
    since: current.since,
    calls: current.calls + (spent.calls ?? 0),
    ms: current.ms + (spent.ms ?? 0),
    bytes: current.bytes + (spent.bytes ?? 0),
  };
}

/** Whether nothing more may be called ahead before the next minute. */
export function isSpent(budget: AheadBudget, limits: AheadLimits, now: number): boolean {
  const { calls, ms, bytes } = budgetAt(budget, now);
  return (
    calls >= limits.callsPerMinute || ms >= limits.msPerMinute || bytes >= limits.bytesPerMinute
  );
}

/** What the calls made ahead for one plan have taken. */
export interface PlanBudget {
  readonly money: number;
  readonly ms: number;
}

export const NEW_PLAN: PlanBudget = { money: 0, ms: 0 };

/** Whether one more call fits into what a plan may take. */
export function fitsPlan(
  { money, ms }: PlanBudget,
  tool: ToolId,
  { cost, moneyPerPlan, planMs }: Pick<SpeculationSettings, 'cost' | 'moneyPerPlan' | 'planMs'>,
): boolean {
  return money + (cost[tool] ?? 0) <= moneyPerPlan && ms < planMs;
}
