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
    if (idleMs === 0 || isBusy()) return;
    this.#timer = setTimeout(() => {
      if (!isBusy()) onIdle();
    }, idleMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
