import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { dataFile, kit } from './kit.js';
import {
  type RecordedEvent,
  type RecordedMoment,
  recordedSteps,
  turnsOf,
} from './recorded-steps.js';
import { readRows } from './rows.js';

type Task = 'plan' | 'next';

export interface PlanningSet {
  readonly name: string;
  readonly tasks: readonly Task[];
  /** Only these questions; the memory has all. */
  readonly variant?: string;
  /** Recorded runs are asked for what came next, and remembered beside the requests. */
  readonly hasTraces?: boolean;
}

export const PLANNING_SETS: readonly PlanningSet[] = [
  { name: 'ultratool', tasks: ['plan', 'next'] },
  { name: 'toollinkos', tasks: ['plan'] },
  { name: 'traject', tasks: ['plan', 'next'], variant: 'sequential' },
  { name: 'nestful', tasks: ['plan'] },
  { name: 'livemcp', tasks: ['next'], hasTraces: true },
  { name: 'toolathlon', tasks: ['next'], hasTraces: true },
  { name: 'tau2', tasks: ['next'], hasTraces: true },
];

/** A set as the kit parts it into what is remembered and what is asked. */
export interface SplitSet {
  readonly set: PlanningSet;
  readonly folder: string;
  readonly memory: readonly unknown[];
  readonly validation: string;
  /** What tells the kit which questions are meant. */
  readonly asked: readonly string[];
  /** Writes the questions without anything that gives the answer away; says where. */
  readonly ask: (task: Task) => string;
}

export function splitSet(set: PlanningSet, parent: string): SplitSet {
  const folder = join(parent, set.name);
  const traces = join(folder, 'traces');
  kit('split', '--queries', dataFile(set.name, 'queries.jsonl'), '--out', folder);
  const validation = join(folder, 'validation.jsonl');
  const asked = ['--queries', validation];
  if (set.variant) asked.push('--variant', set.variant);
  const memory = [...readRows(join(folder, 'memory.jsonl'))];
  if (set.hasTraces) {
    mkdirSync(traces);
    kit('split', '--queries', dataFile(set.name, 'traces.jsonl'), '--out', traces);
    asked.push('--traces', join(traces, 'validation.jsonl'));
    memory.push(...readRows(join(traces, 'memory.jsonl')));
  }
  const ask = (task: Task) => {
    const file = join(folder, `${task}-questions.jsonl`);
    kit('ask', task, ...asked, '--out', file);
    return file;
  };
  return { set, folder, memory, validation, asked, ask };
}

/** The tools each asked request wants, by its id: to judge answers, never to make them. */
export function wantedMembers({ validation }: SplitSet): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = readRows(validation) as readonly {
    readonly id: string;
    readonly gold?: readonly (readonly string[])[];
  }[];
  return new Map(
    rows.map(({ id, gold = [] }) => [String(id), new Set(gold.flatMap((group) => group[0] ?? []))]),
  );
}

/** The tool each asked moment was followed by, by its id: to judge answers, never to make them. */
export function wantedNext({ asked }: SplitSet): ReadonlyMap<string, string> {
  const file = asked[asked.indexOf(asked.includes('--traces') ? '--traces' : '--queries') + 1]!;
  const rows = readRows(file) as readonly {
    readonly id: string;
    readonly order?: readonly string[];
    readonly events?: readonly { readonly type: string; readonly tool?: string | null }[];
  }[];
  return new Map(
    rows.flatMap(({ id, order = [], events }) => {
      const calls = events
        ? events.flatMap(({ type, tool }) => (type === 'exec' && tool ? [tool] : []))
        : order;
      const steps = calls.filter((tool, place) => place === 0 || tool !== calls[place - 1]);
      return steps.slice(1).map((tool, place) => [`${id}@${place + 1}`, tool] as const);
    }),
  );
}

/** What was known at each asked moment of a recorded run, by its id; empty where no run is asked. */
export function recordedMomentsOf({ set, asked }: SplitSet): ReadonlyMap<string, RecordedMoment> {
  if (!set.hasTraces) return new Map();
  const turns = turnsOf(set.name);
  const rows = readRows(asked[asked.indexOf('--traces') + 1]!) as readonly {
    readonly id: string;
    readonly events: readonly RecordedEvent[];
  }[];
  return new Map(
    rows.flatMap(({ id, events }) =>
      recordedSteps(events, turns(id)).map(
        ({ moment }, at) => [`${id}@${at + 1}`, moment] as const,
      ),
    ),
  );
}
