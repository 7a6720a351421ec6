import type { Primordials } from './primordials.js';

/** `url.searchParams`, which the engine's `URL` lacks: changes to it are changes to the address. */
export function installSearchParams(p: Primordials): void {
  const known = new WeakMap<object, object>();
  const has = p.bare<boolean>(WeakMap.prototype, 'has');
  const get = p.bare<object>(WeakMap.prototype, 'get');
  const set = p.bare<unknown>(WeakMap.prototype, 'set');
  interface Address {
    search: string;
  }
  type Params = Record<string, (...args: unknown[]) => unknown>;
  const { URL: Url, URLSearchParams: Search } = globalThis as unknown as {
    URL: { prototype: object };
    URLSearchParams: new (text: string) => Params;
  };
  const put = (target: object, key: string, value: unknown): void => {
    p.defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    } as PropertyDescriptor);
  };
  const text = p.bare<string>(Search.prototype, 'toString');
  const writeBack = (url: Address, params: Params, name: string): void => {
    const change = (Search.prototype as Params)[name] as () => unknown;
    put(params, name, (...args: unknown[]) => {
      p.apply(change, params, args as []);
      url.search = text(params);
    });
  };
  p.defineProperty(Url.prototype, 'searchParams', {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get(this: Address): object {
      if (has(known, this)) return get(known, this);
      const params = new Search(this.search);
      writeBack(this, params, 'append');
      writeBack(this, params, 'delete');
      writeBack(this, params, 'set');
      writeBack(this, params, 'sort');
      set(known, this, params);
      return params;
    },
  } as PropertyDescriptor);
}
