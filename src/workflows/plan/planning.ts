import type { Catalog } from '../../catalog/index.js';
import type {
  CatalogTool,
  ExecutionTrace,
  JsonObject,
  Logger,
  OutputStore,
  ToolId,
  ToolResult,
} from '../../core/index.js';
import {
  ArgumentMemory,
  BindingMemory,
  type PlannableTool,
  TemplateMemory,
} from '../../planner/index.js';
import { ObservedOutputs } from '../../runs/index.js';

/** What the planner knows beside the tools themselves: where values went, and what results are like. */
export class Planning {
  readonly #catalog: Catalog;
  readonly #memory = new BindingMemory();
  readonly #past = new ArgumentMemory();
  readonly #templates = new TemplateMemory();
  readonly #outputs: ObservedOutputs;
  /** The planner keeps what it works out of a tool by the object it is given. */
  readonly #plannables = new WeakMap<
    CatalogTool,
    { readonly observed: JsonObject | undefined; readonly tool: PlannableTool }
  >();

  constructor(catalog: Catalog, log: Logger) {
    this.#catalog = catalog;
    this.#outputs = new ObservedOutputs(log);
  }

  get memory(): BindingMemory {
    return this.#memory;
  }

  /** What calls were given. */
  get past(): ArgumentMemory {
    return this.#past;
  }

  /** How calls were put together of results. */
  get templates(): TemplateMemory {
    return this.#templates;
  }

  async attach(store: OutputStore): Promise<void> {
    await this.#outputs.attach(store);
  }

  learn(traces: readonly ExecutionTrace[]): void {
    for (const trace of traces) {
      this.#memory.add(trace);
      this.#past.add(trace);
      this.#templates.add(trace);
    }
  }

  /** Takes a good result into account, off the way of the request. */
  observe(id: ToolId, result: ToolResult): void {
    const tool = this.#catalog.tool(id);
    if (tool && !tool.definition.outputSchema) this.observed(tool, result);
  }

  /** The same for what no server lists. */
  observed(tool: CatalogTool, result: ToolResult): void {
    this.#outputs.observe(tool, result);
  }

  /** What results of a tool were seen to look like. */
  seenOutput(tool: CatalogTool): JsonObject | undefined {
    return this.#outputs.schemaOf(tool);
  }

  tools(ids: Iterable<ToolId>): ReadonlyMap<ToolId, PlannableTool> {
    return new Map(
      [...ids].flatMap((id) => {
        const tool = this.#plannable(id);
        return tool ? [[id, tool] as const] : [];
      }),
    );
  }

  async settled(): Promise<void> {
    await this.#outputs.settled();
  }

  #plannable(id: ToolId): PlannableTool | undefined {
    const tool = this.#catalog.tool(id);
    if (!tool) return undefined;
    const { outputSchema } = tool.definition;
    const observed = outputSchema ? undefined : this.#outputs.schemaOf(tool);
    const known = this.#plannables.get(tool);
    if (known && known.observed === observed) return known.tool;
    const plannable = plannableOf(tool, observed);
    this.#plannables.set(tool, { observed, tool: plannable });
    return plannable;
  }
}

function plannableOf({ id, definition }: CatalogTool, observed: JsonObject | undefined) {
  const { description, inputSchema, outputSchema } = definition;
  return {
    id,
    inputSchema,
    ...(description && { description }),
    ...(outputSchema && { output: { schema: outputSchema, source: 'declared' } as const }),
    ...(observed && { output: { schema: observed, source: 'observed' } as const }),
  };
}
