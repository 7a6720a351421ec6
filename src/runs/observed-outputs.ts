import {
  type CatalogTool,
  type JsonObject,
  type Logger,
  messageOf,
  type ObservedOutput,
  type OutputStore,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import { observeOutput, outputValue } from '../planner/index.js';

type ObservedTool = Pick<CatalogTool, 'id' | 'hash'>;

/** What is larger is not looked at: it would cost more than it tells. */
const MOST_CHARACTERS = 200_000;
/** After so many, a shape that has not changed for as long is looked at now and then only. */
const SETTLED_AFTER = 20;
const LOOK_EVERY = 10;
const SAVE_MS = 2_000;

/**
 * The shape of results, for tools that declare none. Looked at after the request that brought them,
 * and saved in batches.
 */
export class ObservedOutputs {
  readonly #log: Logger;
  readonly #known = new Map<ToolId, ObservedOutput>();
  readonly #seen = new Map<ToolId, number>();
  readonly #unsaved = new Set<ToolId>();
  #store: OutputStore | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(log: Logger) {
    this.#log = log;
  }

  async attach(store: OutputStore): Promise<void> {
    this.#store = store;
    for (const output of await store.load()) {
      if (!this.#known.has(output.tool)) this.#known.set(output.tool, output);
    }
    if (this.#unsaved.size > 0) this.#saveSoon();
  }

  schemaOf({ id, hash }: ObservedTool): JsonObject | undefined {
    const known = this.#known.get(id);
    return known?.definitionHash === hash ? known.schema : undefined;
  }

  observe(tool: ObservedTool, result: ToolResult): void {
    const seen = (this.#seen.get(tool.id) ?? 0) + 1;
    this.#seen.set(tool.id, seen);
    if (seen > SETTLED_AFTER && seen % LOOK_EVERY !== 0) return;
    setImmediate(() => this.#look(tool, result));
  }

  async settled(): Promise<void> {
    if (this.#timer) this.#save();
    await this.#saving;
  }

  #look({ id, hash }: ObservedTool, result: ToolResult): void {
    const value = outputValue(result);
    // Prose has no shape to bind to.
    if (typeof value !== 'object' || value === null || sizeOf(result) > MOST_CHARACTERS) return;
    const known = this.#known.get(id);
    const before = known?.definitionHash === hash ? known : undefined;
    const schema = observeOutput(before?.schema, value);
    const observations = (before?.observations ?? 0) + 1;
    this.#known.set(id, { tool: id, definitionHash: hash, schema, observations });
    this.#unsaved.add(id);
    this.#saveSoon();
  }

  #saveSoon(): void {
    if (!this.#store) return;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_MS).unref();
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const store = this.#store;
    const outputs = [...this.#unsaved].flatMap((id) => this.#known.get(id) ?? []);
    this.#unsaved.clear();
    if (!store || outputs.length === 0) return;
    this.#saving = this.#saving
      .then(() => store.save(outputs))
      .catch((error: unknown) =>
        this.#log.warn('observed outputs not stored', { error: messageOf(error) }),
      );
  }
}

function sizeOf({ content }: ToolResult): number {
  return content.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
