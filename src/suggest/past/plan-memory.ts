import type { ExecutionTrace, ToolId } from '../../core/index.js';
import { requestWords, verbOf } from '../../words/index.js';
import { type PastPlan, pastPlan, procedureOf } from './past-plan.js';
import { StepCounts } from './step-counts.js';

const CAPACITY = 20_000;
/** Beyond it lists are held more than once. */
const MOST_SHAPES = 2_000;
/** Of one request: older ones say what was done then. */
const MOST_ASKED = 20;

interface PlanMemoryOptions {
  readonly capacity?: number;
  /** Hears of each execution that is remembered (1) or forgotten (-1). */
  readonly onCounted?: ((plan: PastPlan, by: 1 | -1) => void) | undefined;
}

type PlanShape = Pick<PastPlan, 'steps' | 'tools' | 'flows' | 'rejected'>;

/** Past executions by their ids, and in which order kinds of work are done. The oldest are forgotten. */
export class PlanMemory {
  readonly #capacity: number;
  readonly #onCounted: PlanMemoryOptions['onCounted'];
  readonly #plans = new Map<string, PastPlan>();
  /** By the words they were asked for in, oldest first. */
  readonly #asked = new Map<string, readonly PastPlan[]>();
  readonly #verbs = new Map<string, number>();
  readonly #verbPairs = new Map<string, number>();
  readonly #verbLinks = new Map<string, number>();
  readonly #rejections = new Map<string, number>();
  /** Executions by the set of tools that succeeded in them. */
  readonly #procedures = new Map<string, number>();
  readonly #shapes = new Map<string, PlanShape>();
  readonly #stepCounts = new StepCounts();
  #steps = 0;
  #requests = 0;

  constructor({ capacity = CAPACITY, onCounted }: PlanMemoryOptions = {}) {
    this.#capacity = capacity;
    this.#onCounted = onCounted;
  }

  get size(): number {
    return this.#plans.size;
  }

  /** How many were asked for in words, those that are forgotten included. */
  get requests(): number {
    return this.#requests;
  }

  /** The number of different tool sets that served requests. */
  get procedures(): number {
    return this.#procedures.size;
  }

  get(id: string): PastPlan | undefined {
    return this.#plans.get(id);
  }

  add(trace: ExecutionTrace): void {
    if (this.#plans.has(trace.id)) return;
    const plan = this.#shared(pastPlan(trace));
    const isEmpty = plan.steps.length + plan.rejected.length === 0;
    if (isEmpty) return;
    this.#plans.set(plan.id, plan);
    const { words } = requestWords(plan.intent);
    const key = requestKey(words);
    this.#asked.set(key, [...(this.#asked.get(key) ?? []), plan].slice(-MOST_ASKED));
    if (words.length > 0) this.#requests += 1;
    this.#count(plan, 1);
    for (const [oldest, gone] of this.#plans) {
      if (this.#plans.size <= this.#capacity) break;
      this.#plans.delete(oldest);
      this.#forgetAsked(gone);
      this.#count(gone, -1);
    }
  }

  /** The latest that were asked for in these words, as `requestWords` gives them; oldest first. */
  asked(words: readonly string[]): readonly PastPlan[] {
    return words.length === 0 ? [] : (this.#asked.get(requestKey(words)) ?? []);
  }

  /**
   * How much likelier a kind of work is after another than at all, as a logarithm: one searches and
   * then gets, creates and then adds, whatever the server.
   */
  verbLift(from: ToolId, to: ToolId): number {
    const [first, second] = [verbOf(from), verbOf(to)];
    const base = ((this.#verbs.get(second) ?? 0) + 0.5) / (this.#steps + 20);
    const pairs = this.#verbPairs.get(`${first} ${second}`) ?? 0;
    const after = (pairs + 3 * base) / ((this.#verbLinks.get(first) ?? 0) + 3);
    return Math.log(after / base);
  }

  /** How likely each tool comes after `done`, from the steps that followed the same steps before. */
  chancesAfter(done: readonly ToolId[]): (tool: ToolId) => number {
    return this.#stepCounts.chancesAfter(done);
  }

  /** In how many executions a person did not want it to be called. */
  rejections(tool: ToolId): number {
    return this.#rejections.get(tool) ?? 0;
  }

  /**
   * The same lists for the same tools: thousands of executions are of the same few shapes. Written
   * out, because V8 gives each object made by spreading a layout of its own, larger than its values.
   */
  #shared(plan: PastPlan): PastPlan {
    const { id, group, intent, ok } = plan;
    const { steps, tools, flows, rejected } = this.#shapeOf(plan);
    return flows
      ? { id, group, intent, ok, steps, tools, flows, rejected }
      : { id, group, intent, ok, steps, tools, rejected };
  }

  #shapeOf(plan: PastPlan): PlanShape {
    const { steps, tools, flows, rejected } = plan;
    const key = JSON.stringify([steps, tools, flows ? [...flows] : null, rejected]);
    const known = this.#shapes.get(key);
    if (known) return known;
    if (this.#shapes.size >= MOST_SHAPES) this.#shapes.clear();
    this.#shapes.set(key, plan);
    return plan;
  }

  #forgetAsked(gone: PastPlan): void {
    const key = requestKey(requestWords(gone.intent).words);
    const left = (this.#asked.get(key) ?? []).filter((plan) => plan !== gone);
    if (left.length > 0) this.#asked.set(key, left);
    else this.#asked.delete(key);
  }

  #count(plan: PastPlan, by: 1 | -1): void {
    const { steps, tools, rejected } = plan;
    this.#onCounted?.(plan, by);
    if (tools.length > 0) bump(this.#procedures, procedureOf(plan), by);
    for (const tool of rejected) bump(this.#rejections, tool, by);
    this.#steps += by * steps.length;
    this.#stepCounts.add(steps, by);
    steps.forEach((tool, place) => {
      const verb = verbOf(tool);
      bump(this.#verbs, verb, by);
      const before = steps[place - 1];
      if (before === undefined) return;
      bump(this.#verbPairs, `${verbOf(before)} ${verb}`, by);
      bump(this.#verbLinks, verbOf(before), by);
    });
  }
}

function requestKey(words: readonly string[]): string {
  return words.join(' ');
}

function bump(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
