import { type LogFields, type Logger, type LogLevel, maskSecrets } from '../core/index.js';

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const SECRET_KEY = /token|secret|password|authorization|api[-_]?key|cookie/i;

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  /** Values that must never be seen, whatever field or message they turn up in. */
  readonly secrets: () => readonly string[];
  readonly now: () => Date;
}

/** One line an event: time, level, message, fields as `key=value`. */
export function createLogger(options: LoggerOptions, base: LogFields = {}): Logger {
  const log =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (ORDER.indexOf(level) < ORDER.indexOf(options.level)) return;
      const time = options.now().toISOString();
      const text = [message, ...Object.entries({ ...base, ...fields }).flatMap(showField)].join(
        ' ',
      );
      options.write(
        `${time} ${level.toUpperCase().padEnd(5)} ${maskSecrets(text, options.secrets())}\n`,
      );
    };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => createLogger(options, { ...base, ...fields }),
  };
}

function showField([key, value]: [string, unknown]): readonly string[] {
  if (value === undefined) return [];
  if (SECRET_KEY.test(key)) return [`${key}=***`];
  if (Array.isArray(value)) return [`${key}:`, ...value.map((item) => `\n    ${String(item)}`)];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [`${key}=${/^[\w./:@-]+$/.test(text) ? text : JSON.stringify(text)}`];
}
