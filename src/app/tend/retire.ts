/** A daemon that a newer version replaces looks this often whether anything still runs. */
const RETIRE_LOOK_MS = 50;

/** Acts as soon as nothing runs any more. */
export function whenIdle(isBusy: () => boolean, act: () => void): void {
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    act();
  }, RETIRE_LOOK_MS);
}
