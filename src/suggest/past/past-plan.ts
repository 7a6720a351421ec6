import { type ExecutionTrace, parseToolId, type ToolId } from '../../core/index.js';

/** A past execution as planning sees it: the tools its own steps called, and what went where. */
export interface PastPlan {
  readonly id: string;
  readonly group: string;
  readonly intent: string;
  readonly ok: boolean;
  /** In order; repetitions right after each other count once. */
  readonly steps: readonly ToolId[];
  /** Those that worked, each once, in order. */
  readonly tools: readonly ToolId[];
  /** `pairKey` of tools with a value that went from one to the other; missing where none was recorded. */
  readonly flows?: ReadonlySet<string>;
  /** Those a person did not want to be called. */
  readonly rejected: readonly ToolId[];
}

export function pairKey(from: ToolId, to: ToolId): string {
  return `${from}\n${to}`;
}

/** The tools of a `pairKey`. */
export function splitPair(key: string): readonly ToolId[] {
  return key.split('\n') as ToolId[];
}

/** What a script did with its own data, and what is built in, are no steps somebody would plan. */
const NO_STEPS: ReadonlySet<string> = new Set(['code', 'pml']);

/** The calls inside a capability belong to it and not to the plan. */
export function pastPlan(trace: ExecutionTrace): PastPlan {
  const { id, group, intent, ok, calls, bindings, decisions = [] } = trace;
  const isStep = calls.map(
    ({ tool, parent }) => parent === undefined && !NO_STEPS.has(parseToolId(tool).server),
  );
  const own = calls.filter((_, place) => isStep[place]);
  const steps = own.map(({ tool }) => tool);
  const flows = new Set<string>();
  for (const { from, to } of bindings) {
    const [producer, consumer] = [calls[from]?.tool, calls[to]?.tool];
    if (!producer || !consumer || producer === consumer || !isStep[from] || !isStep[to]) continue;
    flows.add(pairKey(producer, consumer));
  }
  return {
    id,
    group: group ?? id,
    intent,
    ok,
    steps: steps.filter((tool, place) => place === 0 || tool !== steps[place - 1]),
    tools: [...new Set(own.flatMap((call) => (call.ok ? [call.tool] : [])))],
    ...(flows.size > 0 && { flows }),
    rejected: [
      ...new Set(
        decisions.flatMap(({ by, kind, tools }) => {
          return kind === 'reject' && by !== 'agent' ? tools : [];
        }),
      ),
    ],
  };
}
