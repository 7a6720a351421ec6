import { type ErrorType, type ExecutionTrace, inParts, type ToolId } from '../../core/index.js';
import { type PairCounts, PairRows } from './pair-rows.js';
import { ownCalls, ToolCounts } from './tool-counts.js';

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

/**
 * What traces show about tools, as counts. Adding an execution costs as much as it has pairs of tools.
 * Counts only grow: what is forgotten of executions stays counted.
 */
export class FeatureMemory {
  readonly #tools = new Map<ToolId, ToolCounts>();
  readonly #pairs = new PairRows();
  readonly #failedIn = new Map<string, readonly ToolId[]>();
  #runs = 0;
  #delivered = 0;
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

  /** In how many runs a tool was called, over all tools, and in how many its last call worked. */
  get allRuns(): { readonly runs: number; readonly delivered: number } {
    return { runs: this.#runs, delivered: this.#delivered };
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

  pair(first: ToolId, second: ToolId): PairCounts {
    return this.#pairs.get(first, second);
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
      const delivered = calls[place]!.ok;
      counts.countRun(place, { calls: calls.length, delivered, ok });
      this.#mostRuns = Math.max(this.#mostRuns, counts.runs);
      this.#runs += 1;
      if (delivered) this.#delivered += 1;
      if (!ok) continue;
      this.#ended += 1;
      this.#left += calls.length - 1 - place;
    }
    const tools = [...lastPlace.keys()];
    this.#countPairs(tools.slice(0, MOST_TOOLS), calls, lastPlace);
  }

  #countPairs(
    tools: readonly ToolId[],
    calls: ReturnType<typeof ownCalls>,
    lastPlace: ReadonlyMap<ToolId, number>,
  ): void {
    for (const first of tools) {
      const firstPlace = calls.findIndex(({ tool }) => tool === first);
      for (const second of tools) {
        if (second === first) continue;
        if (first < second) this.#pairs.add('together', first, second);
        const place = lastPlace.get(second)!;
        if (place < firstPlace) continue;
        this.#pairs.add('followed', first, second);
        if (calls[place]!.ok) this.#pairs.add('delivered', first, second);
      }
    }
  }

  #noteFailed(execution: string, tools: readonly ToolId[]): void {
    this.#failedIn.set(execution, tools);
    if (this.#failedIn.size <= MOST_FAILED) return;
    const [oldest] = this.#failedIn.keys();
    if (oldest !== undefined) this.#failedIn.delete(oldest);
  }
}
