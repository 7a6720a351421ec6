export interface IdleExitOptions {
  /** 0 never. */
  readonly idleMs: number;
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

/** Calls `onIdle` once nobody has needed us for a while. */
export class IdleExit {
  readonly #options: IdleExitOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleExitOptions) {
    this.#options = options;
  }

  /** Something came or went: the time starts anew. */
  touch(): void {
    this.cancel();
    const { idleMs, isBusy, onIdle } = this.#options;
    if (idleMs === 0) return;
    // Not everything that keeps us busy says when it ends: it is looked at again later.
    this.#timer = setTimeout(() => (isBusy() ? this.touch() : onIdle()), idleMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
