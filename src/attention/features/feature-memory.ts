import { type ErrorType, type ExecutionTrace, inParts, type ToolId } from '../../core/index.js';
import { ownCalls, ToolCounts } from './tool-counts.js';

/** How a tool did after another one in the same run. */
export interface AfterCounts {
  /** Runs with both. */
  readonly together: number;
  readonly calls: number;
  readonly worked: number;
}

/** How reliable a tool is, and how it fails. */
export interface ToolRecord {
  readonly calls: number;
  readonly worked: number;
  readonly usualFailure?: ErrorType;
  /** What the newest failure said, without secrets. */
  readonly lastError?: string;
}

/** A long run says no more of which tools go together, and pairs grow with its square. */
const MOST_TOOLS = 40;
/** Runs in which some calls failed, so that similar requests can ask for them. The oldest go first. */
const MOST_FAILED = 20_000;
const TAKEN_AT_ONCE = 500;

const NO_AFTER: AfterCounts = { together: 0, calls: 0, worked: 0 };

/**
 * What traces tell of tools, as counts. Adding an execution costs as much as it has pairs of tools.
 * Counts only grow: what is forgotten of executions stays counted.
 */
export class FeatureMemory {
  readonly #tools = new Map<ToolId, ToolCounts>();
  /** By the tool that came first. */
  readonly #after = new Map<ToolId, Map<ToolId, { -readonly [Key in keyof AfterCounts]: number }>>();
  readonly #failedIn = new Map<string, readonly ToolId[]>();
  #mostRuns = 0;
  #timed = 0;
  #logMs = 0;
  #ended = 0;
  #left = 0;

  /** Memory of the executions that are not left out. */
  static async without(
    isLeftOut: (trace: ExecutionTrace) => boolean,
    { traces, pause }: { traces: Iterable<ExecutionTrace>; pause: () => Promise<void> },
  ): Promise<FeatureMemory> {
    const memory = new FeatureMemory();
    for (const some of inParts(traces, TAKEN_AT_ONCE)) {
      for (const trace of some) if (!isLeftOut(trace)) memory.add(trace);
      await pause();
    }
    return memory;
  }

  get size(): number {
    return this.#tools.size;
  }

  /** The most runs that called one tool. */
  get mostRuns(): number {
    return this.#mostRuns;
  }

  /** The mean logarithm of milliseconds over all timed calls. */
  get usualLogMs(): number {
    return this.#logMs / Math.max(1, this.#timed);
  }

  /** The mean number of calls that a run that succeeds makes after a tool. */
  get usualLeft(): number {
    return this.#left / Math.max(1, this.#ended);
  }

  add(trace: ExecutionTrace): void {
    const calls = ownCalls(trace);
    const at = trace.at.getTime();
    calls.forEach((call, place) => {
      const before = calls[place - 1];
      const afterFailure = before !== undefined && !before.ok && before.tool !== call.tool;
      this.#counts(call.tool).countCall(call, { at, afterFailure });
      if (call.ms === undefined) return;
      this.#timed += 1;
      this.#logMs += Math.log1p(Math.max(0, call.ms));
    });
    this.#countRun(trace, calls);
    const failed = [...new Set(calls.flatMap(({ ok, tool }) => (ok ? [] : [tool])))];
    if (failed.length > 0) this.#noteFailed(trace.id, failed);
  }

  of(tool: ToolId): ToolCounts | undefined {
    return this.#tools.get(tool);
  }

  /** How a tool did in runs that had called the first one before it. */
  after(first: ToolId, tool: ToolId): AfterCounts {
    return this.#after.get(first)?.get(tool) ?? NO_AFTER;
  }

  /** The tools that failed in an execution. */
  failedIn(execution: string): readonly ToolId[] {
    return this.#failedIn.get(execution) ?? [];
  }

  recordOf(tool: ToolId): ToolRecord {
    const { calls = 0, worked = 0, usualFailure, lastError } = this.#tools.get(tool) ?? {};
    return {
      calls,
      worked,
      ...(usualFailure && { usualFailure }),
      ...(lastError !== undefined && { lastError }),
    };
  }

  #counts(tool: ToolId): ToolCounts {
    const known = this.#tools.get(tool);
    if (known) return known;
    const counts = new ToolCounts();
    this.#tools.set(tool, counts);
    return counts;
  }

  #countRun({ ok }: ExecutionTrace, calls: ReturnType<typeof ownCalls>): void {
    const lastPlace = new Map(calls.map(({ tool }, place) => [tool, place]));
    for (const [tool, place] of lastPlace) {
      const counts = this.#counts(tool);
      counts.countRun(place, { calls: calls.length, ok });
      this.#mostRuns = Math.max(this.#mostRuns, counts.runs);
      if (!ok) continue;
      this.#ended += 1;
      this.#left += calls.length - 1 - place;
    }
    this.#countPairs([...lastPlace.keys()].slice(0, MOST_TOOLS), calls);
  }

  #countPairs(tools: readonly ToolId[], calls: ReturnType<typeof ownCalls>): void {
    const byTool = new Map<ToolId, { firstAt: number; places: number[] }>();
    calls.forEach(({ tool }, place) => {
      const known = byTool.get(tool);
      if (known) known.places.push(place);
      else byTool.set(tool, { firstAt: place, places: [place] });
    });
    for (const first of tools) {
      const { firstAt } = byTool.get(first)!;
      for (const tool of tools) {
        if (tool === first) continue;
        const pair = this.#pair(first, tool);
        pair.together += 1;
        for (const place of byTool.get(tool)!.places) {
          if (place <= firstAt) continue;
          pair.calls += 1;
          if (calls[place]!.ok) pair.worked += 1;
        }
      }
    }
  }

  #pair(first: ToolId, tool: ToolId) {
    const own = this.#after.get(first) ?? new Map<ToolId, { -readonly [Key in keyof AfterCounts]: number }>();
    this.#after.set(first, own);
    const pair = own.get(tool) ?? { ...NO_AFTER };
    own.set(tool, pair);
    return pair;
  }

  #noteFailed(execution: string, tools: readonly ToolId[]): void {
    this.#failedIn.set(execution, tools);
    if (this.#failedIn.size <= MOST_FAILED) return;
    const [oldest] = this.#failedIn.keys();
    this.#failedIn.delete(oldest!);
  }
}
