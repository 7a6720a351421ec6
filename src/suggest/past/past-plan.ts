import {
  evidenceWeight,
  type ExecutionTrace,
  parseToolId,
  type PastCall,
  type ToolId,
} from '../../core/index.js';

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

/** The same for all runs that called the same tools, in whatever order. */
export function procedureOf({ tools }: Pick<PastPlan, 'tools'>): string {
  return tools.toSorted().join('\n');
}

export function pairKey(from: ToolId, to: ToolId): string {
  return `${from}\n${to}`;
}

/** The tools of a `pairKey`. */
export function splitPair(key: string): readonly ToolId[] {
  return key.split('\n') as ToolId[];
}

/** Operations of a script on its own data, and built-in tools, are no steps of a plan. */
const NO_STEPS: ReadonlySet<string> = new Set(['code', 'pml']);

/** The calls inside a capability belong to it and not to the plan. */
export function isOwnStep({ tool, parent }: PastCall): boolean {
  return parent === undefined && !NO_STEPS.has(parseToolId(tool).server);
}

export function pastPlan(trace: ExecutionTrace): PastPlan {
  const { id, group, intent, ok, calls, bindings, decisions = [] } = trace;
  const isStep = calls.map(isOwnStep);
  const own = calls.filter((_, place) => isStep[place]);
  const steps = own.map(({ tool }) => tool);
  const flows = new Set<string>();
  // An unconfirmed guess of PML is no flow, and no evidence against another flow.
  const isTold = bindings.every(({ origin }) => evidenceWeight(origin, trace) > 0);
  for (const { from, to } of isTold ? bindings : []) {
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

/** Whether the list, which names each tool once, equals the set. */
export function isJust(tools: ReadonlySet<ToolId>, named: readonly ToolId[]): boolean {
  return named.length === tools.size && named.every((tool) => tools.has(tool));
}
