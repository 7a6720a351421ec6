/** What a recorded run had done before each of its steps, and what its agent could know by then. */
import { existsSync } from 'node:fs';

import { type SessionMoment, momentText } from '../../src/suggest/index.js';
import { dataFile } from './kit.js';
import { idsIn } from './plan-answers.js';
import { readRows } from './rows.js';
import type { ToolSet } from './tool-set.js';

export interface RecordedEvent {
  readonly type: string;
  readonly tool?: string | null;
  readonly params?: unknown;
  readonly error?: unknown;
  readonly result?: unknown;
  /** What a search of the agent listed. */
  readonly retrieved?: readonly string[];
}

export interface RecordedStep {
  /** In the order it was done; repetitions right after each other count once. */
  readonly done: readonly string[];
  readonly wanted: string;
  /** The last call, its result if the agent had it by then, and what searches before it listed. */
  readonly moment: RecordedMoment;
}

export interface RecordedMoment extends Omit<SessionMoment, 'offered'> {
  readonly offered: readonly (readonly string[])[];
}

/** The step of a run in which each of its calls was made; calls of one step are made side by side. */
export type Turns = (run: string) => readonly number[] | undefined;

/** Sets that do not tell have one call after the other. */
export function turnsOf(set: string): Turns {
  const file = dataFile(set, 'calls.jsonl');
  const rows = (existsSync(file) ? readRows(file) : []) as readonly {
    readonly id: string;
    readonly calls: readonly { readonly turn: number }[];
  }[];
  const turns = new Map(rows.map(({ id, calls }) => [id, calls.map(({ turn }) => turn)]));
  return (run) => turns.get(run);
}

export function recordedSteps(
  events: readonly RecordedEvent[],
  turns: readonly number[] = [],
): readonly RecordedStep[] {
  const steps: RecordedStep[] = [];
  const done: string[] = [];
  const offered: (readonly string[])[] = [];
  let known = 0;
  let calls = 0;
  let last: RecordedEvent | undefined;
  for (const event of events) {
    const { type, tool } = event;
    if (type === 'route') offered.push(event.retrieved ?? []);
    if (type !== 'exec' || !tool) continue;
    const isAtOnce = calls > 0 && turns[calls] !== undefined && turns[calls] === turns[calls - 1];
    if (last && last.tool !== tool) {
      const moment = momentAfter(last, { isAtOnce, offered: offered.slice(0, known) });
      steps.push({ done: [...done], wanted: tool, moment });
    }
    if (last?.tool !== tool) done.push(tool);
    // Searches after the last call are made by an agent that has already decided what to do.
    known = offered.length;
    last = event;
    calls += 1;
  }
  return steps;
}

/** A moment in the ids of the product. */
export function momentIn(toolSet: ToolSet, moment: RecordedMoment): SessionMoment {
  return { ...moment, offered: moment.offered.map((tools) => idsIn(toolSet, tools)) };
}

function momentAfter(
  { params, error, result }: RecordedEvent,
  {
    isAtOnce,
    offered,
  }: { readonly isAtOnce: boolean; readonly offered: readonly (readonly string[])[] },
): RecordedMoment {
  const args = params === undefined || params === null ? {} : { args: momentText(params) };
  if (isAtOnce) return { ...args, offered };
  return { ...args, hasFailed: Boolean(error), result: momentText(result ?? ''), offered };
}
