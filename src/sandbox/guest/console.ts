import type { Inspect } from './inspect.js';
import type { Beginning, Primordials, Way } from './primordials.js';

/** `console`, kept. Lines beyond the limit are dropped, and one line says so. */
export function makeConsole(p: Primordials, way: Way, inspect: Inspect) {
  let linesLeft = 0;
  let charactersLeft = 0;
  let isFull = false;

  const post = (level: string, text: string): void =>
    way.post(`${p.stringify({ __proto__: null, type: 'log', level })}\n${text}`);
  const write = (level: string, text: string): void => {
    if (isFull) return;
    if (linesLeft <= 0 || text.length > charactersLeft) {
      isFull = true;
      way.post(`${p.stringify({ __proto__: null, type: 'log-full' })}\n`);
      return;
    }
    linesLeft -= 1;
    charactersLeft -= text.length;
    post(level, text);
  };
  const textOf = (values: unknown[]): string => {
    let text = '';
    for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ' ') + inspect(values[i]);
    return text;
  };
  const writer =
    (level: string) =>
    (...values: unknown[]): void =>
      write(level, textOf(values));
  const console = {
    __proto__: null,
    log: writer('info'),
    info: writer('info'),
    debug: writer('debug'),
    trace: writer('debug'),
    warn: writer('warn'),
    error: writer('error'),
    dir: (value: unknown) => write('info', inspect(value)),
    table: (value: unknown) => write('info', inspect(value)),
    assert: (isTrue: unknown, ...values: unknown[]) => {
      if (!isTrue) write('error', `Assertion failed: ${textOf(values)}`);
    },
    group: writer('info'),
    groupEnd: () => {},
    time: () => {},
    timeEnd: () => {},
  };
  return {
    __proto__: null,
    console: p.freeze(console),
    write,
    begin({ logLines, outputBytes }: Beginning): void {
      linesLeft = logLines;
      charactersLeft = outputBytes;
    },
  };
}

export type GuestConsole = ReturnType<typeof makeConsole>;
