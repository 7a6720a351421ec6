import type { SignInStore } from '../../src/auth/store/sign-in-store.js';
import type { JsonObject } from '../../src/core/index.js';

/** A store whose writes can fail, and that says what was written when. */
export function memorySignInStore(shared: Map<string, JsonObject> = new Map()) {
  let turn: Promise<unknown> = Promise.resolve();
  const store = {
    place: 'memory',
    values: shared,
    failWrites: false,
    writes: 0,
    read: async (key: string) => shared.get(key),
    async write(key: string, value: JsonObject) {
      if (store.failWrites) throw new Error('ENOSPC: disk full');
      store.writes++;
      shared.set(key, value);
    },
    async remove(key: string) {
      shared.delete(key);
    },
    exclusively<T>(_key: string, work: () => Promise<T>): Promise<T> {
      const mine = turn.then(work, work);
      turn = mine;
      return mine;
    },
  };
  return store satisfies SignInStore;
}
