import type { PmlError, RunEvent, RunLog, RunState, TaskId, TaskState } from '../core/index.js';
import { findTask } from './change-tasks.js';
import { EventChannel } from './event-channel.js';
import { JournalWriter } from './journal-writer.js';
import { maskEvent } from './mask-event.js';
import { applyEvent, foldEvents } from './run-state.js';
import { TaskTable } from './tasks/task-table.js';

export interface RecordOptions {
  readonly log: Pick<RunLog, 'append'>;
  /** Whether anything waits for the journal from the start. */
  readonly isDurable: boolean;
  /** Hides secrets in errors and reasons. */
  readonly mask: ((text: string) => string) | undefined;
  /** The state has changed; the journal does not have the events yet. */
  readonly onChanged: (events: readonly RunEvent[]) => void;
  readonly onJournalFailed: () => void;
}

/**
 * What happened in one run: the state in memory, the events behind it, and the journal that gets
 * them in order. Events of the same moment share one write.
 */
export class RunRecord {
  readonly #options: RecordOptions;
  readonly #journal: JournalWriter;
  readonly #watchers = new Set<EventChannel<RunEvent>>();
  readonly #events: RunEvent[];
  readonly table: TaskTable;
  #state: RunState;
  #isDurable: boolean;

  constructor(events: readonly RunEvent[], options: RecordOptions) {
    this.#options = options;
    this.#events = [...events];
    this.#state = foldEvents(events);
    this.table = new TaskTable(this.#state);
    this.#isDurable = options.isDurable;
    this.#journal = new JournalWriter(
      (added) => options.log.append(this.#state.run, added),
      options.onJournalFailed,
    );
  }

  get state(): RunState {
    return this.#state;
  }

  /** Everything written down since the start or the last checkpoint. */
  get events(): readonly RunEvent[] {
    return this.#events;
  }

  /** Whether something must wait for the journal. */
  get isDurable(): boolean {
    return this.#isDurable;
  }

  /** Settles when all that happened so far is on disk. Rejects when it will never be. */
  get written(): Promise<void> {
    return this.#journal.written;
  }

  /** Resolves when all that happened so far is on disk, or will never be. */
  async settled(): Promise<void> {
    await this.#journal.written.catch(() => {}); // `journalFailure` has the reason.
  }

  /** Why the run must not go on. A run that need not be on disk goes on without its journal. */
  get journalFailure(): PmlError | undefined {
    return this.#isDurable ? this.#journal.failure : undefined;
  }

  /** From here on nothing that follows from an event may leave before the event is on disk. */
  requireJournal(): void {
    this.#isDurable = true;
  }

  /** Writes down the events that the record began with. */
  writeFirst(): void {
    this.#journal.write(this.#events);
  }

  emit(...happened: readonly RunEvent[]): void {
    const { mask, onChanged } = this.#options;
    const events = mask ? happened.map((event) => maskEvent(event, mask)) : happened;
    for (const event of events) {
      this.#state = applyEvent(this.#state, event);
      this.table.apply(event, this.#state);
      for (const watcher of this.#watchers) watcher.push(event);
    }
    onChanged(events);
    const lasting = events.filter(({ type }) => type !== 'task-progress');
    if (lasting.length === 0) return;
    this.#events.push(...lasting);
    this.#journal.write(lasting);
  }

  find(id: TaskId): TaskState {
    const found = findTask(this.#state, id);
    if (!found) throw new Error(`Task ${id} is not in run ${this.#state.run}`);
    return found;
  }

  /** What happens from now on, until the watchers are closed or the consumer leaves; nothing if the run is over. */
  async *watch(isOpen: () => boolean): AsyncGenerator<RunEvent, void> {
    if (!isOpen()) return;
    const channel = new EventChannel<RunEvent>();
    this.#watchers.add(channel);
    try {
      yield* channel;
    } finally {
      this.#watchers.delete(channel);
    }
  }

  closeWatchers(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
