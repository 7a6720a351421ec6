/**
 * A guess that neither an agent nor a person confirmed never raises its own probability by running.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  type ExecutionTrace,
  type JsonObject,
  type Origin,
  parseToolId,
  type Task,
  taskId,
} from '../core/index.js';
import { ArgumentMemory } from './arguments/argument-memory.js';
import { fillPlan } from './arguments/fill-plan.js';
import { TemplateMemory } from './arguments/template-memory.js';
import { BindingMemory } from './flow/binding-memory.js';
import type { PlannableTool } from './plannable-tool.js';

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => {
  return { type: 'object', properties, required: Object.keys(properties) };
};
const tool = (id: string, input: JsonObject, output?: JsonObject): PlannableTool => ({
  id: parseToolId(id).id,
  inputSchema: input,
  ...(output && { output: { schema: output, source: 'declared' } }),
});
const TOOLS = [
  tool('crm:find_user', object({ name: text }), object({ user_id: text, email: text })),
  tool('crm:list_orders', object({ user_id: text, city: text }), object({ order_id: text })),
  tool('mail:send', object({ email: text, subject: text, order_id: text, tone: text })),
];
const TASKS: readonly Task[] = TOOLS.map(({ id }, at) => {
  return { id: taskId(`t${at}`), tool: id, args: {}, needs: [] };
});
const INTENT = 'send "Hello there" to the user Ada in Vienna';

class Memories {
  readonly memory = new BindingMemory();
  readonly past = new ArgumentMemory();
  readonly templates = new TemplateMemory();
  #count = 0;

  learn(trace: Omit<ExecutionTrace, 'id' | 'at' | 'source' | 'ok' | 'hasOrigins'>): void {
    const id = `t${this.#count++}`;
    const own = {
      id,
      at: new Date(0),
      source: 'live' as const,
      ok: true,
      hasOrigins: true as const,
    };
    for (const one of [this.memory, this.past, this.templates]) one.add({ ...own, ...trace });
  }

  plan() {
    const open = new Set(TASKS.map(({ id }) => id));
    const { memory, past, templates } = this;
    const tools = new Map(TOOLS.map((one) => [one.id, one]));
    const similar = Array.from({ length: this.#count }, (_, at) => ({ id: `t${at}`, weight: 0.9 }));
    return fillPlan(
      { tasks: TASKS, open },
      { intent: INTENT, tools, memory, past, templates, similar },
    );
  }
}

/** What is remembered of a run of these tasks. */
function traceOf(tasks: readonly Task[]) {
  const origins = ({ guessed = {} }: Task, param: string): Origin | undefined => {
    const guess = guessed[param];
    return guess && { source: guess.source };
  };
  return {
    intent: INTENT,
    calls: tasks.map((task) => {
      const kept = Object.entries(task.args).filter(([, value]) => typeof value === 'string');
      const own = kept.flatMap(([param]) => {
        const origin = origins(task, param);
        return origin ? [[param, origin] as const] : [];
      });
      return {
        tool: task.tool,
        ok: true,
        args: Object.fromEntries(kept),
        origins: Object.fromEntries(own),
      };
    }),
    bindings: tasks.flatMap((task, to) =>
      Object.entries(task.args).flatMap(([param, value]) => {
        const reference = (value as { readonly $ref?: string } | null)?.$ref;
        if (reference === undefined) return [];
        const [head, field = ''] = reference.split('.');
        const origin = origins(task, param);
        const from = tasks.findIndex(({ id }) => id === head);
        return [{ from, to, field, param, ...(origin && { origin }) }];
      }),
    ),
  };
}

const shapeOf = ({ plan, bindings, holes, values }: ReturnType<Memories['plan']>) => ({
  tasks: plan.tasks,
  scores: bindings.map(({ from, path, to, param, score }) => ({ from, path, to, param, score })),
  holes,
  values: values.map(({ run: _run, ...rest }) => rest),
});

test('running a plan with unconfirmed guesses repeatedly changes no score and no value', () => {
  const given = fc.record({
    name: fc.constantFrom('Bob', 'Cleo'),
    tone: fc.constantFrom('kind', 'short'),
    isLinked: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 5 }),
      fc.integer({ min: 1, max: 20 }),
      (written, times) => {
        const memories = new Memories();
        for (const { name, tone, isLinked } of written) {
          const [find, list, send] = TASKS as [Task, Task, Task];
          const link = { email: { $ref: 't0.email' }, order_id: { $ref: 't1.order_id' } };
          memories.learn(
            traceOf([
              { ...find, args: { name } },
              { ...list, args: { user_id: { $ref: 't0.user_id' }, city: 'Oslo' } },
              { ...send, args: { ...(isLinked && link), tone } },
            ]),
          );
        }
        const before = memories.plan();

        for (let time = 0; time < times; time++)
          memories.learn(traceOf(memories.plan().plan.tasks));

        expect(shapeOf(memories.plan())).toEqual(shapeOf(before));
      },
    ),
    { numRuns: 60 },
  );
});
