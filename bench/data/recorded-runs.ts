import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { isServerName } from '../../src/core/index.js';

const CALLS = fileURLToPath(
  new URL('../../../shared/data/dev/toolathlon/calls.jsonl', import.meta.url),
);

export interface RecordedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly isReading: boolean;
  readonly result: string;
}

/** Turns of one agent; the calls of a turn were made side by side. */
export type RecordedRun = readonly (readonly RecordedCall[])[];

interface Line {
  readonly calls: readonly {
    readonly tool: string;
    readonly args: Record<string, unknown> | null;
    readonly readOnlyByName: boolean;
    readonly turn: number;
    readonly result?: string;
  }[];
}

/** Runs of agents on real servers; nothing if they are not on this machine. */
export function recordedRuns(most: number): readonly RecordedRun[] | undefined {
  if (!existsSync(CALLS)) return undefined;
  const lines = readFileSync(CALLS, 'utf8').split('\n').filter(Boolean).slice(0, most);
  return lines.map((line) => turnsOf(JSON.parse(line) as Line));
}

function turnsOf({ calls }: Line): RecordedRun {
  const turns = new Map<number, RecordedCall[]>();
  for (const { tool: id, args, readOnlyByName, turn, result } of calls) {
    const [server = '', tool = ''] = id.split(':');
    if (!isServerName(server) || tool === '') continue;
    const call = {
      server,
      tool,
      args: args ?? {},
      isReading: readOnlyByName,
      result: result ?? '',
    };
    turns.set(turn, [...(turns.get(turn) ?? []), call]);
  }
  return [...turns.values()];
}

/** An agent that does much the same every day: what it reads it has read before. */
export function dailyRuns(count: number): readonly RecordedRun[] {
  const reads = (tool: string, args: Record<string, unknown>): RecordedCall => {
    const result = JSON.stringify({ tool, ...args });
    return { server: 'desk', tool, args, isReading: true, result };
  };
  const post = (key: number): RecordedCall => {
    return { server: 'chat', tool: 'post', args: { key }, isReading: false, result: 'posted' };
  };
  return Array.from({ length: count }, (_, day) => [
    [reads('list_projects', {})],
    [reads('get_project', { id: 7 })],
    [reads('list_issues', { project: 7 })],
    [reads('get_issue', { id: 40 + day })],
    [post(day)],
  ]);
}
