import { isJsonObject, type ToolResult } from '../../../core/index.js';

/**
 * A result as clients of the earlier revisions may get it: there, structured content is an object, and
 * strict clients refuse an answer in which it is not. Other values go under `result`, as the official
 * SDK puts them.
 */
export function legacyResult(result: ToolResult): ToolResult {
  const { structuredContent: value } = result;
  if (value === undefined || isJsonObject(value)) return result;
  return { ...result, structuredContent: { result: value } };
}
