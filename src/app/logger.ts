import { type LogFields, type Logger, type LogLevel, maskSecrets, visible } from '../core/index.js';

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
      const secrets = options.secrets();
      const mask = (text: string) => maskSecrets(text, secrets);
      const shown = Object.entries({ ...base, ...fields }).flatMap(([key, value]) =>
        showField(key, value, mask),
      );
      const time = options.now().toISOString();
      const line = [time, level.toUpperCase().padEnd(5), visible(mask(message)), ...shown];
      options.write(`${line.join(' ')}\n`);
    };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => createLogger(options, { ...base, ...fields }),
  };
}

/** Masks before it escapes: an escaped secret would no longer be recognised. */
function showField(key: string, value: unknown, mask: (text: string) => string): readonly string[] {
  if (value === undefined) return [];
  if (SECRET_KEY.test(key)) return [`${key}=***`];
  if (Array.isArray(value)) {
    return [`${key}:`, ...value.map((item) => `\n    ${visible(mask(String(item)))}`)];
  }
  const text = mask(typeof value === 'string' ? value : JSON.stringify(value));
  return [`${key}=${/^[\w./:@*-]+$/.test(text) ? text : visible(JSON.stringify(text))}`];
}
