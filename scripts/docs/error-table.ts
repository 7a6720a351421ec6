import { ERROR_GUIDE } from '../../src/core/error-guide.js';
import { IN_DOUBT_CODES, type PmlErrorCode } from '../../src/core/index.js';
import { tableOf } from './table.js';

/** Every error code with meaning and remedy; † marks those that leave a call in doubt. */
export function errorTable(): string {
  const rows = Object.entries(ERROR_GUIDE).map(([code, { meaning, remedy }]) => {
    const mark = IN_DOUBT_CODES.has(code as PmlErrorCode) ? ' †' : '';
    return [`\`${code}\`${mark}`, meaning, remedy];
  });
  return tableOf(['code', 'meaning', 'what to do'], rows);
}
