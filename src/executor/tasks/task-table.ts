import {
  isCapability,
  parseToolId,
  type RunEvent,
  type RunState,
  type ServerName,
  type TaskId,
  type TaskState,
} from '../../core/index.js';
import { hasEnded } from '../has-ended.js';
import { layersOf } from './layers.js';

/**
 * Where the tasks of a run stand, kept in step event by event: an event costs what the tasks it
 * touches cost, however many tasks the run has.
 */
export class TaskTable {
  /** Where each task stands in the state. */
  readonly #places = new Map<TaskId, number>();
  readonly #layers = new Map<TaskId, number>();
  /** Tasks that have not come to an end, in the order of the plan, but for those that are parked. */
  readonly #open = new Map<TaskId, TaskState>();
  readonly #running = new Map<TaskId, TaskState>();
  readonly #runningOn = new Map<ServerName, number>();
  /** Tasks that lack nothing but a place, by server, in the order of the plan. */
  readonly #parked = new Map<ServerName, Map<TaskId, TaskState>>();

  constructor(state: RunState) {
    this.#fill(state);
  }

  placeOf(task: TaskId): number | undefined {
    return this.#places.get(task);
  }

  layerOf(task: TaskId): number {
    return this.#layers.get(task) ?? 0;
  }

  /** Tasks under way, those that run code among them. */
  get running(): ReadonlyMap<TaskId, TaskState> {
    return this.#running;
  }

  /** Calls under way on a server. */
  runningOn(server: ServerName): number {
    return this.#runningOn.get(server) ?? 0;
  }

  /** Tasks that have not come to an end; those that are parked are not among them. */
  open(): Iterable<TaskState> {
    return this.#open.values();
  }

  /** The first task of each server that lacks nothing but a place, in the order of the plan. */
  parked(): readonly TaskState[] {
    const placeOf = ({ task }: TaskState) => this.#places.get(task.id) ?? 0;
    return [...this.#parked.values()]
      .flatMap((tasks) => tasks.values().next().value ?? [])
      .toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  get hasParked(): boolean {
    return this.#parked.size > 0;
  }

  /** The task waits for a place on its server. */
  park(one: TaskState): void {
    const { server } = parseToolId(one.task.tool);
    const there = this.#parked.get(server) ?? new Map<TaskId, TaskState>();
    this.#parked.set(server, there.set(one.task.id, one));
    this.#open.delete(one.task.id);
  }

  /** `state` is the one after the event. */
  apply(event: RunEvent, state: RunState): void {
    switch (event.type) {
      case 'task-called':
        this.#add(state, state.tasks.length - 1);
        return;
      case 'task-started':
      case 'task-completed':
      case 'task-held':
        this.#set(state, event.task);
        return;
      case 'task-failed':
      case 'task-skipped':
        if (this.#ranCode(state, event.task)) this.#fill(state);
        else this.#set(state, event.task);
        return;
      case 'task-progress':
      case 'message-added':
        return;
      default:
        // Whatever else happens may concern tasks that it does not name.
        this.#fill(state);
    }
  }

  #fill(state: RunState): void {
    for (const map of [this.#places, this.#layers, this.#open, this.#running]) map.clear();
    this.#runningOn.clear();
    this.#parked.clear();
    const byId = new Map(state.tasks.map((one) => [one.task.id, one]));
    for (const [id, layer] of layersOf(state, byId)) this.#layers.set(id, layer);
    state.tasks.forEach((one, place) => {
      this.#places.set(one.task.id, place);
      this.#enter(one);
    });
  }

  #add(state: RunState, place: number): void {
    const one = state.tasks[place];
    if (!one) return;
    const { id, needs } = one.task;
    this.#places.set(id, place);
    this.#layers.set(
      id,
      needs.reduce((most, need) => Math.max(most, this.layerOf(need) + 1), 0),
    );
    this.#enter(one);
  }

  /** Calls of code that failed are skipped, also those that are parked. */
  #ranCode({ tasks }: RunState, id: TaskId): boolean {
    const one = tasks[this.#places.get(id) ?? -1];
    return one !== undefined && isCapability(one.task.tool);
  }

  #set(state: RunState, id: TaskId): void {
    const one = state.tasks[this.#places.get(id) ?? -1];
    if (!one) return;
    const before = this.#running.get(id);
    if (before) this.#count(before, -1);
    this.#running.delete(id);
    this.#unpark(one);
    this.#enter(one);
    if (hasEnded(one)) this.#open.delete(id);
  }

  #enter(one: TaskState): void {
    const { id } = one.task;
    if (one.status === 'running') {
      this.#running.set(id, one);
      this.#count(one, 1);
    }
    if (!hasEnded(one)) this.#open.set(id, one);
  }

  #unpark({ task: { id, tool } }: TaskState): void {
    if (isCapability(tool)) return;
    const { server } = parseToolId(tool);
    const there = this.#parked.get(server);
    if (there?.delete(id) && there.size === 0) this.#parked.delete(server);
  }

  #count({ task: { tool } }: TaskState, by: number): void {
    if (isCapability(tool)) return;
    const { server } = parseToolId(tool);
    this.#runningOn.set(server, this.runningOn(server) + by);
  }
}
