import {
  type JsonObject,
  maskJson,
  PmlError,
  resultFault,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';

/** Every tool result passes here, so that PML and its clients can handle it. */
export function asToolResult(answer: JsonObject, id: ToolId | string): ToolResult {
  // A question of the server. `sendAndAnswer` or a client of the newer revision answers it.
  if (answer['resultType'] === 'input_required') return answer as unknown as ToolResult;
  const result = answer['content'] === undefined ? { ...answer, content: [] } : answer;
  const fault = resultFault(result);
  // The result came over the wire and was just checked.
  if (fault === undefined) return result as unknown as ToolResult;
  throw new PmlError(
    'SERVER_PROTOCOL_ERROR',
    `${id} answered with a result that ${fault}; its server breaks the protocol`,
    { details: { tool: id } },
  );
}

/** A result as `asToolResult` has it; one that reports an error hides what only the server may know. */
export function safeResult(
  answer: JsonObject,
  id: ToolId | string,
  server: { mask(text: string): string },
): ToolResult {
  const result = asToolResult(answer, id);
  return result.isError === true ? withoutSecrets(result, (text) => server.mask(text)) : result;
}

/** An error result may quote the key that the server refused; other results stay unmasked. */
function withoutSecrets(result: ToolResult, mask: (text: string) => string): ToolResult {
  const { content, structuredContent } = result;
  return {
    ...result,
    content: maskJson(content, mask) as ToolResult['content'],
    ...(structuredContent !== undefined && {
      structuredContent: maskJson(structuredContent, mask),
    }),
  };
}
