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
import type { Workflows } from '../workflows.js';

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
  workflows: Workflows,
  code: ParsedCode,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Promise<CheckedEffects> {
  const { tools, capabilities, isOpen } = effectsOf(analyzeCode(code));
  const unlisted = tools.filter((tool) => workflows.tools.unlistedServer(tool) !== undefined);
  await Promise.all(unlisted.map((tool) => workflows.tools.toolListing(tool)));
  // A capability that is not there may be by the time the script calls it.
  const known = capabilities
    .filter((name) => workflows.tools.capabilities.get(name))
    .map(capabilityId);
  const problems = [...tools, ...known].flatMap(
    (one) => problemOf(workflows, one, isReadOnly) ?? [],
  );
  const [first] = problems;
  if (first) throw new PmlError(first.code, problems.map(({ message }) => message).join('\n'));
  const ids = tools.map((tool) => parseToolId(tool).id);
  const reached = [...ids, ...capabilities.map(capabilityId)];
  const isHarmless = !isOpen && reached.every((id) => workflows.tools.policyOf(id).risk === 'read');
  return { tools: ids, capabilities, isOpen, isHarmless };
}

function problemOf(
  workflows: Workflows,
  tool: string,
  isReadOnly: boolean,
): { readonly code: PmlErrorCode; readonly message: string } | undefined {
  try {
    const { id } = parseToolId(tool);
    workflows.tools.assertTool(id);
    const { denied } = workflows.tools.admit(id, { isReadOnly });
    return denied === undefined ? undefined : { code: 'TOOL_DENIED', message: denied };
  } catch (error) {
    const code = error instanceof PmlError ? error.code : 'TOOL_UNKNOWN';
    return { code, message: messageOf(error) };
  }
}

/** The answer to a dry run of code. */
export function describeCode(
  workflows: Workflows,
  { tools, capabilities, isOpen }: CheckedEffects,
  approve: ApprovalMode,
): ToolResult {
  const answer: JsonObject = {
    status: 'suggested',
    tools: [...tools, ...capabilities.map(capabilityId)].map((tool) => {
      const { ask } = workflows.tools.admit(tool, { approve });
      return { tool, risk: workflows.tools.policyOf(tool).risk, ...(ask && { asks: ask.why }) };
    }),
    capabilities: [...capabilities],
    ...(isOpen && { note: 'It also calls tools whose names are worked out while it runs.' }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}
