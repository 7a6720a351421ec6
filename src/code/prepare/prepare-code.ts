import type { ParsedCode } from '../source/parse-code.js';
import { SourceEdits } from '../source/source-edits.js';
import type { SourcePosition } from '../source/source-text.js';
import { instrument, type OperationSite } from './instrument.js';
import { resultOf } from './result-of.js';
import { stripTypes } from './strip-types.js';

export interface PreparedCode {
  /**
   * JavaScript, the body of an async function that sees `__op(site, receiver, name, ...args)`,
   * which has to do `receiver[name](...args)`. Every line is the agent's line of that number.
   */
  readonly source: string;
  /** What `site` in `__op` stands for. */
  readonly sites: readonly OperationSite[];
  /** Where a place in `source` is in the agent's text; lines and columns from 1. */
  readonly locate: (line: number, column: number) => SourcePosition;
}

/**
 * Makes an agent's TypeScript ready to run: types are blanked out, operations on data are made
 * known, the last expression becomes the result.
 */
export function prepareCode(code: ParsedCode): PreparedCode {
  const edits = new SourceEdits(code.text);
  const result = resultOf(code.program);
  if (result) edits.before(result.start, 'return ');
  stripTypes(code.text, code.program, edits);
  const { sites, needsHeld } = instrument(code, edits);
  if (needsHeld) edits.after(0, 'let __held; ');
  const { text: source, locate } = edits.apply();
  return { source, sites, locate };
}
