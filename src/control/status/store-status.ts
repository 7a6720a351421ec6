import { messageOf } from '../../core/index.js';
import { withPatience } from '../../discovery/index.js';
import type { FailingOperation, StoreStatus } from '../contract/status.js';
import type { ControlledDaemon } from '../controlled-daemon.js';

/** Its size is read in milliseconds; a store that takes longer hangs, and status must not. */
const STORE_ANSWERS_MS = 5_000;
/** A new one is unpacked first, and a large one recovered. */
const STORE_OPENS_MS = 30_000;

/** A store that cannot report its size still appears in the status. */
export async function storeStatus(
  daemon: Pick<ControlledDaemon, 'store' | 'storeHealth' | 'mask'>,
): Promise<StoreStatus> {
  const opened = await withPatience(daemon.store(), STORE_OPENS_MS);
  if (!opened) return { error: `it has been opening for more than ${STORE_OPENS_MS / 1000} s` };
  const { store, error } = opened;
  if (!store) return { error: error ?? 'not open' };
  try {
    const failing = daemon.storeHealth.failing.map((one) => {
      return { ...one, error: daemon.mask(one.error), at: one.at.toISOString() };
    });
    const info = await withPatience(store.info(), STORE_ANSWERS_MS);
    if (!info) return { error: describeSilentStore(failing) };
    return { ...info, ...(failing.length > 0 && { failing }) };
  } catch (failure) {
    return { error: daemon.mask(messageOf(failure)) };
  }
}

function describeSilentStore(failing: readonly FailingOperation[]): string {
  const rest = failing.map(({ what, error }) => `; ${what}: ${error}`).join('');
  return `it gives no answer within ${STORE_ANSWERS_MS / 1000} s${rest}`;
}
