import type { JsonObject, ToolResult } from '../core/index.js';
import { createValidator } from './create-validator.js';
import type { Violation } from './violation.js';

/**
 * What is wrong with the answer of a tool that promises a form. An answer that reports a failure, or
 * asks something back first, need not have it.
 */
export function checkOutput(
  schema: JsonObject | undefined,
  result: ToolResult,
): readonly Violation[] {
  if (schema === undefined || result.isError === true || isQuestion(result)) return [];
  if (result.structuredContent === undefined) {
    return [{ path: '', message: 'missing, though the tool declares an outputSchema' }];
  }
  return createValidator(schema)(result.structuredContent);
}

function isQuestion(result: ToolResult): boolean {
  return result['resultType'] === 'input_required';
}
