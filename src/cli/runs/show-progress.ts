import type { RunWatchAnswer } from '../../control/index.js';
import { describeRunEvent } from './describe-event.js';
import { describeRunView } from './describe-view.js';
import { createLiveView } from './live-view.js';

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** A view that is drawn must move though nothing happens; lines are only written when it does. */
const REDRAW_MS = 300;
const LONGEST_WAIT_MS = 20_000;

/** Shows how a run goes on. */
export interface RunProgress {
  readonly waitMs: number;
  show(answer: RunWatchAnswer): void;
  /** Makes room for what comes next. */
  end(): void;
}

/** On a terminal a view that is redrawn, elsewhere a line for each event. */
export function showProgress(
  stream: NodeJS.WriteStream,
  { isKept }: { readonly isKept: boolean },
): RunProgress {
  if (!stream.isTTY) return lineByLine((line) => stream.write(`${line}\n`));
  const view = createLiveView(stream);
  return {
    waitMs: REDRAW_MS,
    show({ run }) {
      // Some terminals do not tell their size.
      const columns = stream.columns || DEFAULT_COLUMNS;
      const rows = stream.rows || DEFAULT_ROWS;
      view.draw(describeRunView(run, { columns, rows: rows - 1 }));
    },
    end: () => (isKept ? view.keep() : view.clear()),
  };
}

function lineByLine(write: (line: string) => void): RunProgress {
  return {
    waitMs: LONGEST_WAIT_MS,
    show({ events }) {
      for (const event of events) write(describeRunEvent(event));
    },
    end: () => undefined,
  };
}

/** One JSON object a line. */
export function showJsonLines(write: (value: unknown) => void): RunProgress {
  return {
    waitMs: LONGEST_WAIT_MS,
    show: ({ events }) => events.forEach(write),
    end: () => undefined,
  };
}
