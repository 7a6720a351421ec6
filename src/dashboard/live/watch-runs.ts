import {
  type DashboardChange,
  describeEvent,
  describeRun,
  waitingQuestions,
} from '../../control/index.js';
import { type RunEvent, messageOf } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import { listenToRun, type Workflows } from '../../workflows/index.js';
import { ChangedTexts } from './changed-texts.js';

type Publish = (change: DashboardChange) => void;

interface Followed {
  readonly stop: () => void;
  /** Events in the journal so far. */
  places: number;
  /** As it was published last. */
  status: string;
}

/** Events are published as they come; the run as a whole once after events of one moment. */
const FLUSH_MS = 50;
/** The phase of a run may change a little after its last event. */
const LOOK_AGAIN_MS = 500;

/** Publishes the events of all runs, each run when it changed, and pending questions. */
export function watchRuns(workflows: Workflows, publish: Publish): () => void {
  const watch = new RunWatch(workflows, publish);
  const stop = workflows.runs.onBegun((live) => watch.follow(live));
  const stopAnswered = workflows.runs.onAnswered((state) =>
    publish({ type: 'run-changed', run: describeRun({ state, phase: 'finished' }, Date.now()) }),
  );
  for (const live of workflows.runs.live()) watch.follow(live);
  return () => {
    stop();
    stopAnswered();
    watch.stop();
  };
}

class RunWatch {
  readonly #workflows: Workflows;
  readonly #publish: Publish;
  readonly #followed = new Map<LiveRun, Followed>();
  readonly #changed = new Set<LiveRun>();
  readonly #questions = new ChangedTexts();
  readonly #looking: NodeJS.Timeout;
  #flush: NodeJS.Timeout | undefined;

  constructor(workflows: Workflows, publish: Publish) {
    this.#workflows = workflows;
    this.#publish = publish;
    this.#questions.isNew('all', this.#askedRuns());
    this.#looking = setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS).unref();
  }

  follow(live: LiveRun): void {
    const followed: Followed = {
      stop: listenToRun(
        live,
        (event) => this.#happened(live, followed, event),
        this.#workflows.log,
      ),
      places: live.events.length,
      status: '',
    };
    this.#followed.set(live, followed);
    this.#touch(live);
  }

  stop(): void {
    clearInterval(this.#looking);
    clearTimeout(this.#flush);
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
  }

  #happened(live: LiveRun, followed: Followed, event: RunEvent): void {
    if (event.type !== 'task-progress') {
      const info = describeEvent(event, live.state);
      const place = followed.places++;
      this.#publish({ type: 'run-event', run: live.state.run, place, event: info });
    }
    this.#touch(live);
  }

  #touch(live: LiveRun): void {
    this.#changed.add(live);
    this.#flush ??= setTimeout(() => this.#tellChanged(), FLUSH_MS).unref();
  }

  #lookAgain(): void {
    for (const [live, { status }] of this.#followed) {
      if (live.phase !== status) this.#touch(live);
    }
  }

  #tellChanged(): void {
    this.#flush = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    const now = Date.now();
    for (const live of changed) {
      try {
        this.#tell(live, now);
      } catch (error) {
        const { run } = live.state;
        this.#workflows.log.warn('dashboard: run not told', { run, error: messageOf(error) });
      }
    }
    const asked = this.#askedRuns();
    if (!this.#questions.isNew('all', asked)) return;
    this.#publish({ type: 'question', questions: waitingQuestions(this.#workflows, now) });
  }

  #tell(live: LiveRun, now: number): void {
    const { state, phase, broken } = live;
    const view = { state, phase, live, ...(broken && { broken }) };
    this.#publish({ type: 'run-changed', run: describeRun(view, now) });
    const followed = this.#followed.get(live);
    if (!followed) return;
    followed.status = phase;
    if (phase === 'running' || phase === 'paused') return;
    followed.stop();
    this.#followed.delete(live);
  }

  /** Changes whenever a question appears, disappears or is replaced. */
  #askedRuns(): readonly (readonly [string, number])[] {
    return this.#workflows.runs
      .live()
      .filter(({ phase }) => phase === 'paused')
      .map((live) => [live.state.run, live.events.length]);
  }
}
