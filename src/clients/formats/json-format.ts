import { editJsonc } from '../../config/text/edit-jsonc.js';
import { parseJsonc } from '../../config/text/parse-jsonc.js';
import { isJsonObject } from '../../core/index.js';
import type { FileFormat } from './file-format.js';

/** JSON with comments. */
export const jsonFormat: FileFormat = {
  name: 'JSON',
  parse(text) {
    // Some clients create the file empty.
    const { root, value, problems } = parseJsonc(text.trim() === '' ? '{}' : text);
    const [problem] = problems;
    if (root && isJsonObject(value) && !problem) return { ok: true, value };
    const { line = 1, column = 1, path = '', message = 'not an object' } = problem ?? {};
    const where = [`:${line}:${column}`, path].filter((part) => part !== '').join(': ');
    return { ok: false, where, message };
  },
  edit: editJsonc,
};
