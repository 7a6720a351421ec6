/** From when to when a task ran, in milliseconds after the run began. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Where moments of a run are drawn, from 0 to 1. */
export interface Axis {
  readonly at: (ms: number) => number;
  /** Time in which no task ran and that is not drawn. */
  readonly leftOutMs: number;
}

/** A pause is drawn no longer than this part of all the work: people take days to answer. */
const MOST_PAUSE = 0.2;

interface Piece extends Span {
  readonly from: number;
  readonly drawn: number;
}

/** True to scale wherever something ran; long pauses are drawn shorter. */
export function createAxis(spans: readonly Span[]): Axis {
  const busy = merge(spans);
  const work = busy.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const mostPause = Math.max(1, work * MOST_PAUSE);
  const pieces: Piece[] = [];
  let [time, drawn] = [0, 0];
  const add = (endMs: number, most: number) => {
    const length = Math.min(endMs - time, most);
    pieces.push({ startMs: time, endMs, from: drawn, drawn: length });
    [time, drawn] = [endMs, drawn + length];
  };
  for (const { startMs, endMs } of busy) {
    if (startMs > time) add(startMs, mostPause);
    add(endMs, Infinity);
  }
  const total = Math.max(1, drawn);
  return { at: (ms) => place(pieces, ms) / total, leftOutMs: time - drawn };
}

/** A row of so many characters, with a block from start to end; however short, it can be seen. */
export function drawBar({ startMs, endMs }: Span, axis: Axis, width: number, block = '█'): string {
  const start = Math.min(width - 1, Math.floor(axis.at(startMs) * width));
  const end = Math.min(width, Math.max(start + 1, Math.round(axis.at(endMs) * width)));
  return ' '.repeat(start) + block.repeat(end - start) + ' '.repeat(width - end);
}

function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && span.startMs <= last.endMs) {
      merged[merged.length - 1] = { ...last, endMs: Math.max(last.endMs, span.endMs) };
    } else merged.push(span);
  }
  return merged;
}

function place(pieces: readonly Piece[], ms: number): number {
  const piece = pieces.find(({ endMs }) => ms <= endMs) ?? pieces.at(-1);
  if (!piece) return 0;
  const { startMs, endMs, from, drawn } = piece;
  const share = endMs === startMs ? 0 : (ms - startMs) / (endMs - startMs);
  return from + drawn * Math.min(1, Math.max(0, share));
}
