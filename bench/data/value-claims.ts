import {
  type ExecutionTrace,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  taskId,
} from '../../src/core/index.js';
import { valueAt } from '../../src/planner/arguments/fill-nested.js';
import {
  ArgumentMemory,
  argumentConfidence,
  BindingMemory,
  fillPlan,
} from '../../src/planner/index.js';
import { plannableTools } from './flow-answers.js';
import { dataFile } from './kit.js';
import { readRows } from './rows.js';
import { readToolSet, type ToolSet } from './tool-set.js';

/** The literals that PML fills into a plan of the right tools, and whether all of them are right. */
export interface ValueClaim {
  /** What is claimed without any past, and with all runs of other requests. */
  readonly cold: number;
  readonly learned: number;
  readonly isRight: boolean;
}

interface TraceRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly events: readonly {
    readonly type: string;
    readonly tool?: string;
    readonly params?: unknown;
    readonly error?: unknown;
  }[];
}

interface RecordedRun {
  readonly id: string;
  readonly query: string;
  readonly group: string;
  /** What each tool was given, by its name. */
  readonly given: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Longer runs call the same tool with other values again and again. */
const MOST_TOOLS = 8;

/** One claim for each recorded run into which PML fills literals. */
export function valueClaims(set: string): readonly ValueClaim[] {
  const toolSet = readToolSet(dataFile(set, 'tools.jsonl'));
  const tools = plannableTools(toolSet);
  const runs = (readRows(dataFile(set, 'traces.jsonl')) as readonly TraceRow[]).map(recordedRun);
  const pasts = new Map<string, ArgumentMemory>();
  const pastWithout = (group: string): ArgumentMemory => {
    const known = pasts.get(group) ?? memoryOf(runs, group, toolSet);
    pasts.set(group, known);
    return known;
  };
  return runs.flatMap(({ query, group, given }) => {
    const names = [...given.keys()].filter((name) => toolSet.idOf.has(name)).slice(0, MOST_TOOLS);
    const tasks = names.map((name, place) => {
      return { id: taskId(`t${place}`), tool: toolSet.idOf.get(name)!, args: {}, needs: [] };
    });
    const { plan } = fillPlan(
      { tasks, open: new Set(tasks.map(({ id }) => id)) },
      { intent: query, tools, memory: new BindingMemory() },
    );
    const verdicts: boolean[] = [];
    // A recorded run does not say which result a value came from: only literals are judged.
    const literal = plan.tasks.map((task, place) => {
      const own = Object.entries(task.guessed ?? {}).filter(
        ([, { source }]) => source === 'literal',
      );
      for (const [param] of own) {
        const mine = plain(valueAt(task.args, param));
        verdicts.push(
          given.get(names[place]!)!.some((args) => plain(valueAt(args, param)) === mine),
        );
      }
      return { ...task, guessed: Object.fromEntries(own) };
    });
    if (verdicts.length === 0) return [];
    const judged = { plan: { tasks: literal } };
    return {
      cold: argumentConfidence(judged),
      learned: argumentConfidence(judged, pastWithout(group)),
      isRight: verdicts.every(Boolean),
    };
  });
}

/** What all requests but those of one group teach. */
function memoryOf(runs: readonly RecordedRun[], group: string, { idOf }: ToolSet): ArgumentMemory {
  const memory = new ArgumentMemory();
  for (const run of runs) if (run.group !== group) memory.add(traceOf(run, idOf));
  return memory;
}

function traceOf({ id, query, given }: RecordedRun, idOf: ToolSet['idOf']): ExecutionTrace {
  const calls = [...given].flatMap(([name, all]) => {
    const tool = idOf.get(name);
    return tool ? all.map((args) => ({ tool, ok: true, args })) : [];
  });
  return {
    id,
    intent: query,
    at: new Date(0),
    source: 'live',
    ok: true,
    hasOrigins: true,
    bindings: [],
    calls,
  };
}

function recordedRun({ id, query, group = query, events }: TraceRow): RecordedRun {
  const given = new Map<string, JsonObject[]>();
  for (const { type, tool, params, error } of events) {
    const args = type === 'exec' && tool !== undefined && !error ? readArgs(params) : undefined;
    if (tool !== undefined && args) given.set(tool, [...(given.get(tool) ?? []), args]);
  }
  return { id, query, group, given };
}

function readArgs(params: unknown): JsonObject | undefined {
  try {
    const value = (typeof params === 'string' ? JSON.parse(params) : (params ?? {})) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // A model wrote something that is no JSON.
  }
}

function plain(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null).toLowerCase();
}
