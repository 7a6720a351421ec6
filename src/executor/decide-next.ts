import {
  parseToolId,
  type RunOutcome,
  type RunState,
  type ServerName,
  type TaskId,
  type TaskState,
  type ToolId,
} from '../core/index.js';

export type Decision =
  | {
      readonly kind: 'skip';
      readonly task: TaskId;
      readonly because: string;
      readonly need?: TaskId;
    }
  | { readonly kind: 'hold'; readonly task: TaskId; readonly because: string }
  | { readonly kind: 'start'; readonly task: TaskId }
  | { readonly kind: 'finish'; readonly outcome: RunOutcome }
  /** Something runs, or waits for its time. */
  | { readonly kind: 'wait' }
  /** Nothing can go on before somebody decides. */
  | { readonly kind: 'pause' };

export interface DecideOptions {
  /** Most tasks at the same time, and most of them on one server. */
  readonly concurrency: number;
  readonly serverConcurrency: (server: ServerName) => number;
  /** Why a tool must not run without approval, and whether that holds whatever the agent says. */
  readonly asks: (tool: ToolId) => { readonly always: boolean; readonly why: string } | undefined;
  /** Tasks that are tried again a little later. */
  readonly delayed: ReadonlySet<TaskId>;
}

/**
 * The one thing to do next. Tasks start in plan order, each as soon as all it needs succeeded and
 * a place is free; a task whose need failed or was skipped is skipped with that reason.
 */
export function decideNext(state: RunState, options: DecideOptions): Decision {
  const byId = new Map(state.tasks.map((task) => [task.task.id, task]));
  const layers = state.approve === 'per_layer' ? layersOf(state, byId) : undefined;
  const running = state.tasks.filter(({ status }) => status === 'running');
  for (const task of state.tasks) {
    if (task.status !== 'waiting' && task.status !== 'held') continue;
    const decision = considerTask(task, { state, byId, layers, running, options });
    if (decision) return decision;
  }
  const isOpen = (status: TaskState['status']) => state.tasks.some((one) => one.status === status);
  const isDelayed = state.tasks.some(
    ({ task, status }) => status === 'waiting' && options.delayed.has(task.id),
  );
  if (running.length > 0 || isDelayed) return { kind: 'wait' };
  if (state.aborted) return { kind: 'finish', outcome: outcomeOf(state) };
  if (isOpen('held') || isOpen('doubtful')) return { kind: 'pause' };
  return isOpen('waiting') ? { kind: 'wait' } : { kind: 'finish', outcome: outcomeOf(state) };
}

interface Considered {
  readonly state: RunState;
  readonly byId: ReadonlyMap<TaskId, TaskState>;
  readonly layers: ReadonlyMap<TaskId, number> | undefined;
  readonly running: readonly TaskState[];
  readonly options: DecideOptions;
}

function considerTask(one: TaskState, considered: Considered): Decision | undefined {
  const { state, byId, layers, options } = considered;
  const { id } = one.task;
  if (state.aborted) return { kind: 'skip', task: id, because: `the run ${aborted(state)}` };
  // With an approval for each layer, what becomes of a failure is decided first.
  const isBeforeLayer = layers !== undefined && !one.isApproved && (layers.get(id) ?? 0) > 0;
  const lost = lostNeed(one, byId);
  if (lost && !isBeforeLayer) return { kind: 'skip', task: id, ...lost };
  if (one.status === 'held' || options.delayed.has(id)) return undefined;
  if (isBeforeLayer) return isLayerReached(id, considered) ? holdLayer(id, lost) : undefined;
  if (!one.task.needs.every((need) => byId.get(need)?.status === 'succeeded')) return undefined;
  const ask = one.isApproved ? undefined : options.asks(one.task.tool);
  if (ask && (ask.always || state.approve !== 'never')) {
    return { kind: 'hold', task: id, because: ask.why };
  }
  return hasPlace(one, considered) ? { kind: 'start', task: id } : undefined;
}

function aborted({ aborted: abort }: RunState): string {
  return `was ended early: ${abort?.because ?? ''}`;
}

function lostNeed({ task }: TaskState, byId: Considered['byId']) {
  for (const need of task.needs) {
    const status = byId.get(need)?.status;
    if (status === 'failed') return { because: `needs \`${need}\`, which failed`, need };
    if (status === 'skipped') return { because: `needs \`${need}\`, which was skipped`, need };
  }
  return undefined;
}

function holdLayer(task: TaskId, lost: { because: string } | undefined): Decision {
  return { kind: 'hold', task, because: lost?.because ?? 'the layer before it is done' };
}

/** A layer is asked for when everything before it has come to an end. */
function isLayerReached(id: TaskId, { state, layers }: Considered): boolean {
  const own = layers?.get(id) ?? 0;
  return state.tasks.every(({ task, status }) => {
    if ((layers?.get(task.id) ?? 0) >= own) return true;
    return status === 'succeeded' || status === 'failed' || status === 'skipped';
  });
}

function hasPlace({ task }: TaskState, { running, options }: Considered): boolean {
  if (running.length >= options.concurrency) return false;
  const { server } = parseToolId(task.tool);
  const there = running.filter((other) => parseToolId(other.task.tool).server === server);
  return there.length < options.serverConcurrency(server);
}

/** Each task one after the last it needs. Needs of a plan have no cycles. */
export function layersOf(
  { tasks }: RunState,
  byId: ReadonlyMap<TaskId, TaskState>,
): ReadonlyMap<TaskId, number> {
  const layers = new Map<TaskId, number>();
  const layerOf = (id: TaskId): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const needs = byId.get(id)?.task.needs ?? [];
    const layer = needs.reduce((most, need) => Math.max(most, layerOf(need) + 1), 0);
    layers.set(id, layer);
    return layer;
  };
  for (const { task } of tasks) layerOf(task.id);
  return layers;
}

/** An abort that comes when everything is already done changes nothing. */
function outcomeOf({ tasks, aborted: abort }: RunState): RunOutcome {
  if (tasks.every(({ status }) => status === 'succeeded')) return 'succeeded';
  return abort ? 'cancelled' : 'failed';
}
