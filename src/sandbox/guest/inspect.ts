import type { Primordials } from './primordials.js';

/** Values as a reader wants them in a log line, within bounds. Getters are not run. */
export function makeInspect(p: Primordials) {
  const mostDepth = 4;
  const mostParts = 100;
  const mostText = 10_000;

  interface Work {
    left: number;
    readonly above: Map<object, true>;
  }
  const quoted = (text: string): string =>
    p.stringify(text.length > mostText ? `${p.slice(text, 0, mostText)}…` : text);
  const keyText = (key: string | symbol): string => {
    if (typeof key === 'symbol') return `[${p.symbolText(key)}]`;
    return p.exec(/^[A-Za-z_$][\w$]*$/, key) === null ? quoted(key) : key;
  };
  /** Joins by hand: an array's methods are the script's to change. */
  const joiner = (open: string, close: string) => {
    let text = '';
    let parts = 0;
    return {
      __proto__: null,
      isFull: () => parts >= mostParts,
      add(part: string): void {
        text += parts === 0 ? part : `, ${part}`;
        parts += 1;
      },
      done: (total: number): string => {
        if (total > parts) text += `${parts === 0 ? '' : ', '}… ${total - parts} more`;
        return text === '' ? `${open}${close}` : `${open} ${text} ${close}`;
      },
    };
  };
  const properties = (value: object, work: Work, depth: number, prefix: string): string => {
    const keys = p.ownKeys(value);
    const list = joiner(`${prefix}{`, '}');
    let shown = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string | symbol;
      const property = p.getOwnPropertyDescriptor(value, key);
      if (property === undefined || !p.hasOwn(property, 'enumerable') || !property.enumerable)
        continue;
      shown += 1;
      if (list.isFull() || work.left <= 0) continue;
      const text = p.hasOwn(property, 'value') ? show(property.value, work, depth + 1) : '[getter]';
      list.add(`${keyText(key)}: ${text}`);
    }
    return list.done(shown);
  };
  const items = (value: readonly unknown[], work: Work, depth: number): string => {
    const list = joiner('[', ']');
    for (let i = 0; i < value.length && !list.isFull() && work.left > 0; i++) {
      const property = p.getOwnPropertyDescriptor(value, p.text(i));
      if (property === undefined) list.add('<empty>');
      else list.add('value' in property ? show(property.value, work, depth + 1) : '[getter]');
    }
    return list.done(value.length);
  };
  const entries = (value: object, work: Work, depth: number, isMap: boolean): string => {
    const size = isMap ? p.mapSize(value) : p.setSize(value);
    const list = joiner(isMap ? `Map(${size}) {` : `Set(${size}) {`, '}');
    const each = (one: unknown, key: unknown) => {
      if (list.isFull() || work.left <= 0) return;
      const text = show(one, work, depth + 1);
      list.add(isMap ? `${show(key, work, depth + 1)} => ${text}` : text);
    };
    if (isMap) p.mapEach(value, each);
    else p.setEach(value, each);
    return list.done(size);
  };
  const errorText = (value: object, work: Work, depth: number): string => {
    const { name, message, stack } = value as { name: unknown; message: unknown; stack: unknown };
    const head = `${p.text(name)}: ${p.text(message)}`;
    const place = typeof stack === 'string' ? p.exec(/script\.js:(\d+)/, stack) : null;
    const where = place ? ` (line ${p.number(place[1]) - 1})` : '';
    const rest = properties(value, work, depth, '');
    return rest === '{}' ? head + where : `${head}${where} ${rest}`;
  };
  const objectText = (value: object, work: Work, depth: number): string => {
    const kind = p.slice(p.tag(value), 8, -1);
    if (p.isArray(value)) return items(value, work, depth);
    if (p.isPrototypeOf(p.ErrorPrototype, value)) return errorText(value, work, depth);
    if (kind === 'Date') return p.text(p.isoDate(value));
    if (kind === 'RegExp') return p.regExpText(value);
    if (kind === 'Map' || kind === 'Set') return entries(value, work, depth, kind === 'Map');
    if (kind === 'Promise') return 'Promise { `await` it for its value }';
    return properties(value, work, depth, kind === 'Object' ? '' : `${kind} `);
  };
  const show = (value: unknown, work: Work, depth: number): string => {
    work.left -= 1;
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'bigint') return `${p.text(value)}n`;
    if (typeof value === 'symbol') return p.symbolText(value);
    if (typeof value === 'function') return '[function]';
    if (typeof value !== 'object' || value === null) return p.text(value);
    if (p.mapGet(work.above, value)) return '[circular]';
    if (depth >= mostDepth) return p.isArray(value) ? '[…]' : '{…}';
    p.mapSet(work.above, value, true);
    try {
      return objectText(value, work, depth);
    } catch {
      // A proxy, or an object that pretends to be another kind: it is shown as that, and no more.
      return '[object]';
    } finally {
      p.mapDelete(work.above, value);
    }
  };
  return (value: unknown): string => {
    if (typeof value === 'string') return value;
    return show(value, { left: 2000, above: new p.Map() }, 0);
  };
}

export type Inspect = ReturnType<typeof makeInspect>;
