export interface IdleExitOptions {
  /** 0: never. */
  readonly idleMs: number;
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

/** Calls `onIdle` once the daemon was idle for `idleMs`. */
export class IdleExit {
  readonly #options: IdleExitOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleExitOptions) {
    this.#options = options;
  }

  /** A client connected or left: restarts the timer. */
  touch(): void {
    this.cancel();
    const { idleMs, isBusy, onIdle } = this.#options;
    if (idleMs === 0) return;
    // Not all work reports its end, so a busy daemon checks again later.
    this.#timer = setTimeout(() => (isBusy() ? this.touch() : onIdle()), idleMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
