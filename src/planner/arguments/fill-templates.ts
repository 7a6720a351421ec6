import type { JsonValue, Task, TaskId, ToolId } from '../../core/index.js';
import { LEARNED_SHARE } from '../../learning/index.js';
import { referenceTo, fillSlots } from '../../plan/index.js';
import { inputParameters } from '../../schema/index.js';
import type { Literal } from '../literals/literal.js';
import type { PlannableTool } from '../plannable-tool.js';
import type { ProposedValue } from './fill-arguments.js';
import { isAllowed } from './fill-nested.js';
import type { LearnedTemplate, TemplateMemory } from './template-memory.js';

export interface FillTemplatesOptions {
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
  readonly existing?: readonly Task[];
  readonly templates?: TemplateMemory;
  readonly literals: readonly Literal[];
  /** Keeps what looks like a reference in a text from being one. */
  readonly keep: (text: string) => string;
}

export interface FilledTemplate extends ProposedValue {
  readonly needs: readonly TaskId[];
}

/** Parameters that past runs put together of results of tools that are in the plan, too. */
export function fillTemplates(
  tasks: readonly Task[],
  { templates, tools, existing = [], literals, keep }: FillTemplatesOptions,
): readonly FilledTemplate[] {
  if (!templates) return [];
  const all = [...existing, ...tasks];
  const idsOf = new Map(all.map(({ tool }) => [tool, all.filter((one) => one.tool === tool)]));
  const said = new Set(literals.map(({ text }) => text));
  return tasks.flatMap((task) => {
    const schema = tools.get(task.tool)?.inputSchema;
    if (!schema) return [];
    const open = inputParameters(schema).filter(({ path }) => !Object.hasOwn(task.args, path));
    return open.flatMap(({ path: param }): FilledTemplate[] => {
      const [learned] = templates.of(task.tool, param);
      const needs =
        learned && isUsable(learned, said) ? sourcesOf(learned, task, idsOf) : undefined;
      if (!learned || !needs) return [];
      const { template, sources, times, total, calls, allCalls, run } = learned;
      const references = sources.map(({ field }, at) => referenceTo(needs[at]!, field));
      const value: JsonValue = fillSlots(template, references, keep);
      if (!isAllowed(schema, param, value)) return [];
      const because = `it was written so in ${calls} of ${allCalls} past calls`;
      const score = times / (total + 0.5);
      const found = { task: task.id, param, value, source: 'past' as const, score, because, run };
      return [{ ...found, needs: [...new Set(needs)] }];
    });
  });
}

/** Not if it repeats words of another request. */
function isUsable({ times, total, said }: LearnedTemplate, now: ReadonlySet<string>): boolean {
  return times >= total * LEARNED_SHARE && said.every((text) => now.has(text));
}

/** The one task of the plan behind each slot; nothing if there is none, or there are several. */
function sourcesOf(
  { sources }: LearnedTemplate,
  consumer: Task,
  idsOf: ReadonlyMap<ToolId, readonly Task[]>,
): readonly TaskId[] | undefined {
  const found = sources.map(({ tool }) => idsOf.get(tool) ?? []);
  const isClear = found.every(([only, ...more]) => only && more.length === 0 && only !== consumer);
  return isClear ? found.map(([only]) => only!.id) : undefined;
}
