import {
  isCapability,
  parseToolId,
  type RunOutcome,
  type RunState,
  type ServerName,
  type Task,
  type TaskId,
  type TaskState,
} from '../core/index.js';
import { isAsApproved } from './approved-args.js';
import { outcomeOf } from './run-outcome.js';
import type { TaskTable } from './tasks/task-table.js';

export type Decision =
  | {
      readonly kind: 'skip';
      readonly task: TaskId;
      readonly because: string;
      readonly need?: TaskId;
    }
  | { readonly kind: 'hold'; readonly task: TaskId; readonly because: string }
  | { readonly kind: 'start'; readonly task: TaskId }
  /** It lacks nothing but a free slot: the run checks it again when there is one. */
  | { readonly kind: 'park'; readonly task: TaskId }
  | { readonly kind: 'finish'; readonly outcome: RunOutcome }
  /** Something runs, or waits for its time. */
  | { readonly kind: 'wait' }
  /** Nothing can go on before the user or the agent decides. */
  | { readonly kind: 'pause' };

export interface DecideOptions {
  /** Maximum number of concurrent tasks, in total and on one server. */
  readonly concurrency: number;
  readonly serverConcurrency: (server: ServerName) => number;
  /** Why a task must not run in this run without approval. */
  readonly asks: (task: Task) => { readonly why: string } | undefined;
  /** Tasks that the run retries a little later. */
  readonly delayed: { readonly size: number; has(task: TaskId): boolean };
  /** Of the tasks of the state. */
  readonly table: TaskTable;
  /** Whether the script of the run can go on before one of its calls is answered. */
  readonly isScriptBusy: boolean;
}

/**
 * The one thing to do next. Tasks start in plan order, each as soon as all it needs succeeded and
 * a place is free; a task whose need failed or was skipped is skipped with that reason.
 */
export function decideNext(state: RunState, options: DecideOptions): Decision {
  const { table } = options;
  // A task that runs code waits for its calls: it takes no slot, and does not keep the run active.
  const running = callsIn(table);
  const isNested = table.running.size > running;
  const considered: Considered = { state, running, layer: layerReached(state, options), options };
  for (const task of candidates(considered)) {
    const decision = considerTask(task, considered);
    if (decision) return decision;
  }
  if (running > 0 || isDelayed(options)) return { kind: 'wait' };
  if (state.aborted) {
    return isNested ? { kind: 'wait' } : { kind: 'finish', outcome: outcomeOf(state) };
  }
  const isScriptOpen = isNested || (state.script !== undefined && !state.script.end);
  if (isScriptOpen && options.isScriptBusy) return { kind: 'wait' };
  const open = new Set([...table.open()].map(({ status }) => status));
  if (open.has('needs_approval') || open.has('in_doubt')) return { kind: 'pause' };
  if (open.has('waiting') || table.hasParked || isScriptOpen) return { kind: 'wait' };
  return { kind: 'finish', outcome: outcomeOf(state) };
}

function isDelayed({ table, delayed }: DecideOptions): boolean {
  if (delayed.size === 0) return false;
  for (const { task, status } of table.open()) {
    if (status === 'waiting' && delayed.has(task.id)) return true;
  }
  return false;
}

function callsIn({ running }: TaskTable): number {
  let calls = 0;
  for (const { task } of running.values()) if (!isCapability(task.tool)) calls++;
  return calls;
}

/** Tasks that may go on: those that wait for something, and the first for each free slot. */
function* candidates(considered: Considered): Generator<TaskState, void> {
  const { table } = considered.options;
  for (const parked of table.parked()) if (hasPlace(parked, considered)) yield parked;
  for (const task of table.open()) {
    if (task.status === 'waiting' || task.status === 'needs_approval') yield task;
  }
}

interface Considered {
  readonly state: RunState;
  /** How many calls are under way. */
  readonly running: number;
  /** The first that is not over. */
  readonly layer: number;
  readonly options: DecideOptions;
}

function considerTask(one: TaskState, considered: Considered): Decision | undefined {
  const { state, layer, options } = considered;
  const { id } = one.task;
  if (state.aborted) return { kind: 'skip', task: id, because: `the run ${aborted(state)}` };
  if (state.script?.end?.status === 'failed') {
    return { kind: 'skip', task: id, because: 'its script had failed' };
  }
  const { parent } = one.task;
  const above = parent && statusIn(considered)(parent);
  if (above === 'failed' || above === 'skipped') {
    return { kind: 'skip', task: id, because: 'the capability that called it had failed' };
  }
  // With approval per layer, the user first decides what becomes of a failure.
  const ownLayer = options.table.layerOf(id);
  const hasLayer = state.approve === 'per_layer' && (ownLayer > 0 || one.isAdded === true);
  const isBeforeLayer = hasLayer && !one.isApproved;
  const statusOf = statusIn(considered);
  const lost = lostNeed(one, statusOf);
  if (lost && !isBeforeLayer) return { kind: 'skip', task: id, ...lost };
  if (one.status === 'needs_approval' || options.delayed.has(id)) return undefined;
  const whyLayer = lost?.because ?? (ownLayer > 0 ? LAYER_DONE : ADDED);
  if (isBeforeLayer) {
    return ownLayer === layer ? { kind: 'hold', task: id, because: whyLayer } : undefined;
  }
  if (!one.task.needs.every((need) => statusOf(need) === 'completed')) return undefined;
  const why = options.asks(one.task)?.why ?? (hasLayer ? whyLayer : undefined);
  if (!one.isApproved && why !== undefined) return { kind: 'hold', task: id, because: why };
  if (!hasPlace(one, considered)) return { kind: 'park', task: id };
  // A decision may have changed the context, or given a result, since the user approved.
  if (why === undefined || isAsApproved(one, state)) return { kind: 'start', task: id };
  const because = `its arguments changed after it was approved; ${why}`;
  return { kind: 'hold', task: id, because };
}

const LAYER_DONE = 'the layer before it is done';
const ADDED = 'it was added to the run';

function aborted({ aborted: abort }: RunState): string {
  return `was ended early: ${abort?.because ?? ''}`;
}

type StatusOf = (task: TaskId) => TaskState['status'] | undefined;

function statusIn({ state: { tasks }, options: { table } }: Considered): StatusOf {
  return (id) => tasks[table.placeOf(id) ?? -1]?.status;
}

function lostNeed({ task }: TaskState, statusOf: StatusOf) {
  for (const need of task.needs) {
    const status = statusOf(need);
    if (status === 'failed') return { because: `needs \`${need}\`, which failed`, need };
    if (status === 'skipped') return { because: `needs \`${need}\`, which was skipped`, need };
  }
  return undefined;
}

/** The first layer that is not over: the run asks for it when every layer before it has ended. */
function layerReached({ tasks, approve }: RunState, { table }: DecideOptions): number {
  if (approve !== 'per_layer') return 0;
  let first = Infinity;
  for (const { task, status } of tasks) {
    if (status === 'completed' || status === 'failed' || status === 'skipped') continue;
    first = Math.min(first, table.layerOf(task.id));
  }
  return first;
}

function hasPlace({ task }: TaskState, { running, options }: Considered): boolean {
  if (isCapability(task.tool)) return true;
  if (running >= options.concurrency) return false;
  const { server } = parseToolId(task.tool);
  return options.table.runningOn(server) < options.serverConcurrency(server);
}
