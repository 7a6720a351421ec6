import { type JsonObject, taskId, type ToolId } from '../../src/core/index.js';
import { readTraces } from '../../src/discovery/index.js';
import { BindingMemory, inferFlow, type PlannableTool } from '../../src/planner/index.js';
import type { ToolSet } from './tool-set.js';

/** Tools of a data set as the planner sees them. */
export function plannableTools({ tools }: ToolSet): ReadonlyMap<ToolId, PlannableTool> {
  return new Map(
    [...tools.values()].map(({ id, definition }) => {
      const { description, inputSchema, outputSchema } = definition;
      const tool: PlannableTool = {
        id,
        inputSchema: inStandardWords(inputSchema),
        ...(description !== undefined && { description }),
        ...(outputSchema && {
          output: { schema: inStandardWords(outputSchema), source: 'declared' },
        }),
      };
      return [id, tool];
    }),
  );
}

/** Data sets say `contentKind` for what JSON Schema calls `contentMediaType`. */
function inStandardWords(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"contentKind":', '"contentMediaType":');
  return JSON.parse(text) as JsonObject;
}

/** What the planner remembers of the rows. */
export function bindingMemory(rows: readonly unknown[], { idOf }: ToolSet): BindingMemory {
  const memory = new BindingMemory();
  const { traces, problems } = readTraces(rows, {
    resolve: (text) => idOf.get(text),
    now: new Date(0),
  });
  if (problems[0]) throw new Error(`memory row ${problems[0].row + 1}: ${problems[0].problem}`);
  for (const trace of traces) memory.add(trace);
  return memory;
}

export interface FlowOptions {
  readonly toolSet: ToolSet;
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
  readonly memory: BindingMemory;
  readonly similarity?: (a: string, b: string) => number | undefined;
}

/** Which of the tools passes a value to which, when every parameter of all of them is open. */
export function flowEdges(
  names: readonly string[],
  { toolSet, ...options }: FlowOptions,
): readonly (readonly [string, string])[] {
  const tasks = names.flatMap((name, place) => {
    const tool = toolSet.idOf.get(name);
    return tool ? [{ id: taskId(`t${place}`), tool, needs: [], open: 'all' as const }] : [];
  });
  const nameOf = new Map(tasks.map(({ id, tool }) => [id, toolSet.nameOf.get(tool) ?? '']));
  const edges = new Map<string, readonly [string, string]>();
  for (const { from, to } of inferFlow(tasks, options).links) {
    edges.set(`${from} ${to}`, [nameOf.get(from) ?? '', nameOf.get(to) ?? '']);
  }
  return [...edges.values()];
}
