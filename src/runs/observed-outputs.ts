import {
  type CatalogTool,
  type JsonObject,
  type JsonValue,
  type Logger,
  messageOf,
  type ObservedOutput,
  type OutputStore,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import { outputValue } from '../plan/index.js';
import { observeOutput } from '../schema/index.js';

type ObservedTool = Pick<CatalogTool, 'id' | 'hash'>;

/** Larger results are not observed: they would cost more than they tell. */
const MOST_CHARACTERS = 200_000;
const MOST_PARTS = 20_000;
/** After this many results of a tool, only some are observed. */
const SETTLED_AFTER = 20;
const LOOK_EVERY = 10;
const SAVE_MS = 2_000;

/**
 * The shape of results, for tools that declare none. Results are observed after their request, and
 * shapes are saved in batches.
 */
export class ObservedOutputs {
  readonly #log: Logger;
  readonly #known = new Map<ToolId, ObservedOutput>();
  readonly #seen = new Map<ToolId, { readonly hash: string; readonly count: number }>();
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
      const early = this.#known.get(output.tool);
      // Earlier processes saw more of the same tool than the few results before the store opened.
      if (early && early.definitionHash !== output.definitionHash) continue;
      this.#known.set(output.tool, output);
      this.#unsaved.delete(output.tool);
    }
    if (this.#unsaved.size > 0) this.#saveSoon();
  }

  schemaOf({ id, hash }: ObservedTool): JsonObject | undefined {
    const known = this.#known.get(id);
    return known?.definitionHash === hash ? known.schema : undefined;
  }

  observe(tool: ObservedTool, result: ToolResult): void {
    const before = this.#seen.get(tool.id);
    const count = (before?.hash === tool.hash ? before.count : 0) + 1;
    this.#seen.set(tool.id, { hash: tool.hash, count });
    if (count > SETTLED_AFTER && count % LOOK_EVERY !== 0) return;
    setImmediate(() => {
      try {
        this.#look(tool, result);
      } catch (error) {
        // No caller handles this error: it must not end the process, whatever a server returns.
        this.#log.warn('output not observed', { tool: tool.id, error: messageOf(error) });
      }
    });
  }

  async settled(): Promise<void> {
    if (this.#timer) this.#save();
    await this.#saving;
  }

  #look({ id, hash }: ObservedTool, result: ToolResult): void {
    if (isLarge(result)) return;
    const value = outputValue(result);
    // Prose has no shape to bind to.
    if (typeof value !== 'object' || value === null) return;
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
      .catch((error: unknown) => {
        for (const { tool } of outputs) this.#unsaved.add(tool); // Saved with the next observation.
        this.#log.warn('observed outputs not stored', { error: messageOf(error) });
      });
  }
}

/** Estimated without reading it, or by the number of its parts. */
function isLarge({ content, structuredContent }: ToolResult): boolean {
  if (structuredContent !== undefined) return !hasAtMost(structuredContent, MOST_PARTS);
  const size = content.reduce(
    (sum, { text }) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
  return size > MOST_CHARACTERS;
}

function hasAtMost(value: JsonValue, parts: number): boolean {
  const open: JsonValue[] = [value];
  for (let left = parts; left > 0; left--) {
    const next = open.pop();
    if (next === undefined) return true;
    if (typeof next !== 'object' || next === null) continue;
    const inside = Array.isArray(next) ? (next as JsonValue[]) : Object.values(next);
    if (open.length + inside.length > left) return false;
    for (const one of inside) open.push(one);
  }
  return open.length === 0;
}
