/** Recorded runs with arguments and results, as sessions; questions of `speculate`, as situations. */
import * as z from 'zod';

import { isJsonObject, type JsonObject, type ToolId } from '../../src/core/index.js';
import type { SessionCall, Situation } from '../../src/speculation/index.js';
import type { RecordedSession } from '../../src/speculation/predict/recorded-session.js';
import { parseRows } from './rows.js';
import type { ToolSet } from './tool-set.js';

const CallRow = z.object({
  tool: z.string(),
  args: z.custom<JsonObject>(isJsonObject).nullish(),
  ok: z.boolean().default(true),
  turn: z.number(),
  result: z.string().nullish(),
});

const RunRow = z.object({
  id: z.string(),
  group: z.string().optional(),
  query: z.string(),
  context: z.string().nullish(),
  closing: z.boolean().nullish(),
  calls: z.array(CallRow),
});

const MomentQuestion = RunRow.omit({ closing: true, group: true });

export interface RecordedRun extends RecordedSession {
  readonly id: string;
}

export function readRecordedRuns(path: string, toolSet: ToolSet): readonly RecordedRun[] {
  return parseRows(path, RunRow).map((row) => ({
    id: row.id,
    group: row.group ?? row.id,
    intent: intentOf(row),
    calls: row.calls.flatMap((call) => sessionCall(call, toolSet)),
    hasEnded: row.closing === true,
  }));
}

export interface AskedMoment {
  readonly id: string;
  readonly situation: Situation;
}

export function readMoments(path: string, toolSet: ToolSet): readonly AskedMoment[] {
  return parseRows(path, MomentQuestion).map((row) => ({
    id: row.id,
    situation: {
      // Questions of one run overlap: none of them may know of another.
      session: row.id,
      client: 'bench',
      intent: intentOf(row),
      calls: row.calls.flatMap((call) => sessionCall(call, toolSet)),
    },
  }));
}

function intentOf({ query, context }: Pick<z.infer<typeof RunRow>, 'query' | 'context'>): string {
  return [query, context ?? ''].join('\n').trim();
}

/** Tools that a model made up are in no catalog; still they were called. */
function sessionCall(
  { tool, args, ok, turn, result }: z.infer<typeof CallRow>,
  { idOf }: ToolSet,
): readonly SessionCall[] {
  const id = idOf.get(tool) ?? (tool as ToolId);
  const output = result === null || result === undefined ? {} : { output: result };
  return [{ tool: id, args: args ?? {}, ok, turn, at: turn, ...output }];
}
