import { type Logger, messageOf } from '../../core/index.js';
import { heapBytes } from '../../process/index.js';

/** What a look at the process shows. */
export interface Look {
  /** Computing time of all threads since the start. */
  readonly cpuMs: number;
  readonly atMs: number;
  /** What the heap of objects takes, used or not. */
  readonly heapBytes: number;
}

export interface TendMemoryOptions {
  readonly look: () => Look;
  /** What is done in a quiet moment, such as giving memory and space back. */
  readonly tidy: () => Promise<void>;
  /** What is done although there is work, and so must not take long. */
  readonly collect: () => Promise<'collected' | 'later'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

const LOOK_MS = 10_000;
/** A process that computes less than this share of the time has nothing to do. */
const IDLE_SHARE = 0.1;
/** So much more than after the last time is worth to be given back. */
const LEAST_GROWTH_BYTES = 16_000_000;

/** A daemon that is never quiet gives back this much at the latest, and no more often than that. */
const PRESSING_GROWTH_BYTES = 64_000_000;
const PRESSING_MS = 60_000;

/** Whether the heap has grown by so much that it is not to wait for a quiet moment. */
export function isPressing(now: Look, tidied: Look): boolean {
  const isLongAgo = now.atMs - tidied.atMs >= PRESSING_MS;
  return isLongAgo && now.heapBytes > tidied.heapBytes + PRESSING_GROWTH_BYTES;
}

/** Whether nothing was done between two looks. */
export function isQuiet(before: Look, now: Look): boolean {
  return now.cpuMs - before.cpuMs < IDLE_SHARE * (now.atMs - before.atMs);
}

/** Whether the heap has grown by enough since it was last made small. */
export function isWorthTidying(now: Look, tidiedBytes: number | undefined): boolean {
  return tidiedBytes === undefined || now.heapBytes > tidiedBytes + LEAST_GROWTH_BYTES;
}

/** Tidies up when the daemon was busy and has nothing to do now. Returns how to stop it. */
export function tendMemory(options: TendMemoryOptions): () => void {
  const { look, tidy, collect, log, everyMs = LOOK_MS } = options;
  let before = look();
  let collected = before;
  let tidiedBytes: number | undefined;
  let isTidying = false;
  const tend = async () => {
    const now = look();
    const isTidy = isQuiet(before, now) && isWorthTidying(now, tidiedBytes);
    const isDue = isTidy || isPressing(now, collected);
    before = now;
    if (!isDue || isTidying) return;
    isTidying = true;
    try {
      if (isTidy) await tidy();
      else if ((await collect()) === 'later') return;
      collected = look();
      if (isTidy) tidiedBytes = collected.heapBytes;
      log.debug('memory given back', { before: now.heapBytes, now: collected.heapBytes });
    } finally {
      isTidying = false;
    }
  };
  const timer = setInterval(
    () =>
      void tend().catch((error: unknown) => log.warn('not tidied', { error: messageOf(error) })),
    everyMs,
  );
  timer.unref();
  return () => clearInterval(timer);
}

export function lookAtProcess(): Look {
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1_000,
    atMs: performance.now(),
    heapBytes: heapBytes(),
  };
}
