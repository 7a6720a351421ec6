import type { JsonObject } from '../../core/index.js';

/** Where sign-ins are kept. What `write` has resolved survives a crash of the machine. */
export interface SignInStore {
  /** In words, for `pml doctor`. */
  readonly place: string;
  read(key: string): Promise<JsonObject | undefined>;
  write(key: string, value: JsonObject): Promise<void>;
  remove(key: string): Promise<void>;
  /** Does the work while no other daemon that shares the store does work for this key. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
}
