import type { Primordials } from './primordials.js';

/** Puts what a script sees in its place, and takes away what it must not have. */
export function installGlobals(
  p: Primordials,
  fixed: Readonly<Record<string, unknown>>,
  changeable: Readonly<Record<string, unknown>>,
): void {
  const put = (target: object, key: string, value: unknown, isChangeable: boolean): void => {
    p.defineProperty(target, key, {
      __proto__: null,
      value,
      writable: isChangeable,
      configurable: isChangeable,
      enumerable: false,
    } as PropertyDescriptor);
  };
  const all = (values: Readonly<Record<string, unknown>>, isChangeable: boolean): void => {
    const names = p.ownKeys(values);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      put(globalThis, name, values[name], isChangeable);
    }
  };
  all(fixed, false);
  all(changeable, true);
  // Shared memory and what tells when the collector ran would make runs differ.
  put(globalThis, 'SharedArrayBuffer', undefined, false);
  put(globalThis, 'WeakRef', undefined, false);
  put(globalThis, 'FinalizationRegistry', undefined, false);
  // It would hand out the functions on the stack, those of the guest's own code among them.
  put(Error, 'prepareStackTrace', undefined, false);
}
