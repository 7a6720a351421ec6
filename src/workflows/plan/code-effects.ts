import { analyzeCode, effectsOf, type ParsedCode } from '../../code/index.js';
import {
  type ApprovalMode,
  capabilityId,
  type JsonObject,
  messageOf,
  parseToolId,
  PmlError,
  type PmlErrorCode,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';

/** What a script can reach, as far as its text tells. */
export interface CheckedEffects {
  readonly tools: readonly ToolId[];
  readonly capabilities: readonly string[];
  /** It can call what only its run decides. */
  readonly isOpen: boolean;
  /** Whether nothing it can reach changes anything. */
  readonly isHarmless: boolean;
}

/** Refuses a script that names tools it cannot have, before any of it runs. */
export async function checkEffects(
  gateway: Gateway,
  code: ParsedCode,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Promise<CheckedEffects> {
  const { tools, capabilities, isOpen } = effectsOf(analyzeCode(code));
  const unlisted = tools.filter((tool) => gateway.unlistedServer(tool) !== undefined);
  await Promise.all(unlisted.map((tool) => gateway.toolListing(tool)));
  // A capability that is not there may be by the time the script calls it.
  const known = capabilities.filter((name) => gateway.capabilities.get(name)).map(capabilityId);
  const problems = [...tools, ...known].flatMap((one) => problemOf(gateway, one, isReadOnly) ?? []);
  const [first] = problems;
  if (first) throw new PmlError(first.code, problems.map(({ message }) => message).join('\n'));
  const ids = tools.map((tool) => parseToolId(tool).id);
  const reached = [...ids, ...capabilities.map(capabilityId)];
  const isHarmless = !isOpen && reached.every((id) => gateway.policyOf(id).risk === 'read');
  return { tools: ids, capabilities, isOpen, isHarmless };
}

function problemOf(
  gateway: Gateway,
  tool: string,
  isReadOnly: boolean,
): { readonly code: PmlErrorCode; readonly message: string } | undefined {
  try {
    const { id } = parseToolId(tool);
    gateway.assertTool(id);
    const { denied } = gateway.admit(id, { isReadOnly });
    return denied === undefined ? undefined : { code: 'TOOL_DENIED', message: denied };
  } catch (error) {
    const code = error instanceof PmlError ? error.code : 'TOOL_UNKNOWN';
    return { code, message: messageOf(error) };
  }
}

/** The answer to a dry run of code. */
export function describeCode(
  gateway: Gateway,
  { tools, capabilities, isOpen }: CheckedEffects,
  approve: ApprovalMode,
): ToolResult {
  const answer: JsonObject = {
    status: 'suggested',
    tools: [...tools, ...capabilities.map(capabilityId)].map((tool) => {
      const { ask } = gateway.admit(tool, { approve });
      return { tool, risk: gateway.policyOf(tool).risk, ...(ask && { asks: ask.why }) };
    }),
    capabilities: [...capabilities],
    ...(isOpen && { note: 'It also calls tools whose names are worked out while it runs.' }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}
