import { signal } from '@preact/signals';

/** The present time, once a second: for ages and for bars that grow. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1_000);
}
