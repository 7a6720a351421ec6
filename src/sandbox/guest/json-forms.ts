import type { Primordials } from './primordials.js';

/**
 * How values that JSON does not know leave the guest: `Map` with text keys as object, else as
 * pairs; `Set` and typed arrays as array; `BigInt` as number where that is exact, else as text;
 * errors with name and message; `RegExp` as text. As methods, because a replacer would be called
 * for every value there is.
 */
export function installJsonForms(p: Primordials): void {
  const form = (of: { prototype: object }, toJSON: (this: unknown) => unknown): void => {
    p.defineProperty(of.prototype, 'toJSON', {
      __proto__: null,
      value: toJSON,
      writable: true,
      configurable: true,
      enumerable: false,
    } as PropertyDescriptor);
  };
  const put = (target: object, key: string, value: unknown): void => {
    p.defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: true,
    } as PropertyDescriptor);
  };
  form(Map, function () {
    let isPlain = true;
    p.mapEach(this, (_: unknown, key: unknown) => {
      if (typeof key !== 'string') isPlain = false;
    });
    const made: object = isPlain ? {} : [];
    let at = 0;
    p.mapEach(this, (value: unknown, key: unknown) => {
      put(made, isPlain ? (key as string) : p.text(at), isPlain ? value : [key, value]);
      at += 1;
    });
    return made;
  });
  form(Set, function () {
    const made: unknown[] = [];
    let at = 0;
    p.setEach(this, (value: unknown) => {
      put(made, p.text(at), value);
      at += 1;
    });
    return made;
  });
  form(BigInt as unknown as { prototype: object }, function () {
    const exact = p.number(this);
    return p.isInteger(exact) && p.abs(exact) <= 2 ** 53 - 1 ? exact : p.text(this);
  });
  form(Error, function () {
    const { name, message, code } = this as Record<string, unknown>;
    return { name, message, ...(code === undefined ? {} : { code }) };
  });
  form(RegExp, function () {
    return p.regExpText(this);
  });
  form(p.getPrototypeOf(Uint8Array) as unknown as { prototype: object }, function () {
    return p.arrayFrom(this as Uint8Array);
  });
}
