import type { RunEvent, TaskState } from '../../core/index.js';
import type { AttemptSpan, RunTaskInfo } from '../contract/runs.js';

type MutableSpan = { -readonly [K in keyof AttemptSpan]: AttemptSpan[K] };

/** When the tasks of a run waited, ran and were retried, from its events. */
export class TaskSpans {
  readonly #startedAt: number;
  readonly #spans = new Map<string, MutableSpan[]>();
  readonly #endedAt = new Map<string, number>();
  /** When it came into the run. */
  readonly #addedAt = new Map<string, number>();

  constructor(events: readonly RunEvent[], startedAt: number) {
    this.#startedAt = startedAt;
    for (const event of events) this.#take(event);
  }

  /** When the last attempt began. */
  lastStart(task: string): number | undefined {
    return this.#spans.get(task)?.at(-1)?.startMs;
  }

  of({ task, status }: TaskState): Pick<RunTaskInfo, 'readyMs' | 'spans'> {
    const spans = this.#spans.get(task.id) ?? [];
    const ready = this.#readyMs(task.id, task.needs);
    const isReady = spans.length > 0 || status === 'needs_approval';
    return {
      ...(isReady && ready !== undefined && { readyMs: ready }),
      ...(spans.length > 0 && { spans }),
    };
  }

  /** Everything it needs has finished; it may have queued since. */
  #readyMs(id: string, needs: readonly string[]): number | undefined {
    const ends = needs.map((need) => this.#endedAt.get(need) ?? 0);
    const ready = Math.max(this.#addedAt.get(id) ?? 0, ...ends);
    const first = this.#spans.get(id)?.[0]?.startMs;
    return first === undefined ? ready : Math.min(ready, first);
  }

  #take(event: RunEvent): void {
    switch (event.type) {
      case 'task-called':
        this.#addedAt.set(event.task.id, this.#ms(event.at));
        return;
      case 'task-started': {
        const spans = this.#spans.get(event.task) ?? [];
        this.#spans.set(event.task, spans);
        spans.push({ startMs: this.#ms(event.at), outcome: 'running' });
        return;
      }
      case 'task-completed':
        this.#end(event.task, event.at, { ms: event.ms, outcome: 'completed' });
        return;
      case 'task-failed':
        this.#end(event.task, event.at, {
          ms: event.ms,
          outcome: 'failed',
          error: event.error.message,
        });
        return;
      case 'task-retried':
      case 'task-doubted': {
        const outcome = event.type === 'task-doubted' ? 'in_doubt' : 'failed';
        this.#end(event.task, event.at, { outcome, error: event.because });
        return;
      }
      case 'task-skipped':
        this.#endedAt.set(event.task, this.#ms(event.at));
        return;
      default:
    }
  }

  /** An attempt that has an end keeps it: the retry event follows the failure event. */
  #end(task: string, at: number, end: Omit<MutableSpan, 'startMs'>): void {
    this.#endedAt.set(task, this.#ms(at));
    const last = this.#spans.get(task)?.at(-1);
    if (last?.outcome !== 'running') return;
    Object.assign(last, { ms: Math.max(0, this.#ms(at) - last.startMs), ...end });
  }

  /** The clock of the machine may have been set back since. */
  #ms(at: number): number {
    return Math.max(0, at - this.#startedAt);
  }
}
