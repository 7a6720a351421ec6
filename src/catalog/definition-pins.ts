import { isDeepStrictEqual } from 'node:util';

import {
  type CatalogServer,
  type CatalogTool,
  type Logger,
  messageOf,
  type PinFile,
  PmlError,
  type ServerName,
  type ServerPins,
  type ToolChange,
  type ToolPin,
} from '../core/index.js';
import { fromJson, toJson } from './pins-json.js';

/** Recent changes kept here, to show them without a store. */
const MOST_CHANGES = 100;
/** Placeholder for the approved definition of a tool that was blocked before PML had pins. */
const FORGOTTEN_HASH = 'forgotten';

interface PinsOptions {
  /** None: pins last as long as the process. */
  readonly file?: PinFile;
  readonly log: Logger;
}

/**
 * The pins of every server, in memory and in a synced file of their own, so that PML keeps the
 * approvals of the user when the store is lost or not open.
 */
export class DefinitionPins {
  readonly #options: PinsOptions;
  readonly #servers = new Map<ServerName, ServerPins>();
  #changes: readonly ToolChange[] = [];
  #unreadable: string | undefined;
  #unwritten: string | undefined;
  #isDirty = false;
  #writing: Promise<void> | undefined;

  constructor(options: PinsOptions) {
    this.#options = options;
  }

  /** Call it before the first list is compared. */
  async load(): Promise<void> {
    const { file, log } = this.#options;
    try {
      const value = await file?.read();
      if (value === undefined) return;
      const { servers, changes } = fromJson(value);
      for (const [name, pins] of servers) this.#servers.set(name, pins);
      this.#changes = changes;
    } catch (error) {
      this.#unreadable = messageOf(error);
      log.error('definition pins cannot be read', { error: this.#unreadable });
    }
  }

  of(server: ServerName): ServerPins | undefined {
    return this.#servers.get(server);
  }

  /** Pins the stored definitions of servers that have no pins yet. */
  adopt(servers: readonly CatalogServer[], tools: readonly CatalogTool[]): void {
    for (const { name, configHash } of servers) {
      if (this.#servers.has(name)) continue;
      const own = tools.filter((tool) => tool.server === name && tool.status !== 'quarantined');
      const pins = own.map((tool): [string, ToolPin] => [tool.definition.name, pinOf(tool)]);
      this.set(name, { configHash, tools: new Map(pins) });
    }
  }

  set(server: ServerName, pins: ServerPins, changes: readonly ToolChange[] = []): void {
    const isSame = isDeepStrictEqual(this.#servers.get(server), pins);
    if (isSame && changes.length === 0) return;
    this.#servers.set(server, pins);
    this.#changes = [...changes.toReversed(), ...this.#changes].slice(0, MOST_CHANGES);
    this.#write();
  }

  remove(server: ServerName): void {
    if (this.#servers.delete(server)) this.#write();
  }

  /** Newest first. */
  changes(limit: number): readonly ToolChange[] {
    return this.#changes.slice(0, limit);
  }

  /** Why the pins are unreliable; undefined if they are reliable. */
  get problem(): string | undefined {
    return this.#unreadable ?? this.#unwritten;
  }

  /** Rejects if the pins could not be read, or still cannot be written. */
  async assertKept(): Promise<void> {
    if (this.problem === undefined) return;
    if (this.#unreadable === undefined) {
      this.#write();
      await this.#writing;
      if (this.#unwritten === undefined) return;
    }
    throw this.#failure();
  }

  /** Resolves when all changes so far are on disk, or could not be written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #failure(): PmlError {
    const path = this.#options.file?.path ?? '';
    const isUnreadable = this.#unreadable !== undefined;
    const fix = isUnreadable
      ? 'Put back a good copy of the file, or delete it to approve all definitions as they are now; then run pml restart.'
      : 'Free space on that disk, or make the file writable for this user; then call again.';
    const doing = isUnreadable ? 'read' : 'write';
    return new PmlError(
      'PINS_FAILED',
      `PML cannot ${doing} the definition pins, so no tool is called: ${this.problem ?? ''}. ${fix}`,
      { details: { path } },
    );
  }

  /** One write at a time; changes during a write go into the next. */
  #write(): void {
    const { file } = this.#options;
    // The user may restore a file that PML could not read, so PML must not overwrite it.
    if (!file || this.#unreadable !== undefined) return;
    this.#isDirty = true;
    this.#writing ??= this.#writeAll(file).finally(() => (this.#writing = undefined));
  }

  async #writeAll(file: PinFile): Promise<void> {
    // Servers that list at the same time are written together.
    await Promise.resolve();
    while (this.#isDirty) {
      this.#isDirty = false;
      try {
        await file.write(toJson(this.#servers, this.#changes));
        this.#unwritten = undefined;
      } catch (error) {
        this.#unwritten = messageOf(error);
        this.#options.log.error('definition pins not written', { error: this.#unwritten });
        return;
      }
    }
  }
}

function pinOf({ hash, status }: CatalogTool): ToolPin {
  return { approved: [status === 'blocked' ? FORGOTTEN_HASH : hash], seen: hash };
}
