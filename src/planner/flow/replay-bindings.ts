import { type ExecutionTrace, type PastBinding, taskId, type ToolId } from '../../core/index.js';
import { type Claim, spreadOver } from '../../learning/index.js';
import { inputParameters } from '../../schema/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import { BindingMemory } from './binding-memory.js';
import { inferFlow, type InferOptions } from './infer-flow.js';
import type { FlowLink } from './weigh-sources.js';

/** A claim about one binding of a past execution. */
export interface BindingClaim extends Claim {
  /** Executions that call the same tools: together they prove no more than one of them. */
  readonly group: string;
}

export interface BindingReplayOptions extends Omit<InferOptions, 'memory'> {
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
  /** Replays at most this many executions, evenly spread over all. Default 200. */
  readonly most?: number;
  /** Whether the binding was meant; unconfirmed guesses prove nothing. Default: all were. */
  readonly isMeant?: (binding: PastBinding) => boolean;
}

const MOST_REPLAYED = 200;

/**
 * What the planner would have claimed about the values in past executions, each with only earlier
 * knowledge, and whether it was right. Claims concern only required parameters whose source it
 * would have named, in executions that recorded where values went.
 */
export async function replayBindings(
  traces: readonly ExecutionTrace[],
  { most = MOST_REPLAYED, isMeant = () => true, pause, ...options }: BindingReplayOptions,
): Promise<readonly BindingClaim[]> {
  const inOrder = traces.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const telling = inOrder.filter(({ calls, bindings }) => calls.length > 1 && bindings.length > 0);
  const asked = new Set(spreadOver(telling, most));
  const memory = new BindingMemory();
  const claims: BindingClaim[] = [];
  // Executions of one group must not judge each other: the planner is asked about the first of a
  // group before it learns from any of them.
  const known = new Set<string>();
  for (const trace of inOrder) {
    const { group = trace.id } = trace;
    if (asked.has(trace) && !known.has(group)) {
      const procedure = procedureOf(trace);
      for (const claim of claimsOf(trace, { ...options, memory, isMeant })) {
        claims.push({ ...claim, group: procedure });
      }
      await pause();
    }
    known.add(group);
    memory.add(trace);
  }
  return claims;
}

function procedureOf({ calls }: ExecutionTrace): string {
  return [...new Set(calls.map(({ tool }) => tool))].toSorted().join(' ');
}

type ClaimOptions = InferOptions & Required<Pick<BindingReplayOptions, 'isMeant'>>;

function claimsOf(trace: ExecutionTrace, options: ClaimOptions): readonly Claim[] {
  const { calls, bindings } = trace;
  const tasks = calls.map(({ tool }, place) => ({
    id: taskId(`t${place}`),
    tool,
    needs: [],
    open: requiredOf(options.tools.get(tool)),
  }));
  const placeOf = new Map(tasks.map(({ id }, place) => [id, place]));
  const meant = bindings.filter(options.isMeant);
  const guessed = bindings.filter((one) => !options.isMeant(one));
  const claimed = new Set<string>();
  return inferFlow(tasks, options).links.flatMap((link) => {
    const [from, to] = [placeOf.get(link.from)!, placeOf.get(link.to)!];
    const key = `${to} ${link.param}`;
    // The first link is the best; for the others the task only waits.
    if (link.param === undefined || link.path === undefined || claimed.has(key)) return [];
    claimed.add(key);
    const isHere = (one: PastBinding) => one.to === to && (one.param ?? link.param) === link.param;
    if (guessed.some(isHere) && !meant.some(isHere)) return [];
    const toolAt = (place: number): ToolId | undefined => calls[place]?.tool;
    const isRight = meant.some(
      (one) => isHere(one) && toolAt(one.from) === toolAt(from) && isSameField(one, link),
    );
    return [{ confidence: link.probability, isRight }];
  });
}

function requiredOf(tool: PlannableTool | undefined): readonly string[] {
  if (!tool) return [];
  return inputParameters(tool.inputSchema)
    .filter(({ isRequired, fallback }) => isRequired && fallback === undefined)
    .map(({ path }) => path);
}

/** Fields are the same if they have the same name, in whichever item of a list. */
function isSameField({ field }: PastBinding, { path = '' }: FlowLink): boolean {
  const plain = (text: string) => text.replaceAll(/\[\d+\]/g, '[]');
  return field === undefined || plain(field) === plain(path);
}
