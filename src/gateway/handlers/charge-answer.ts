import {
  estimateTokens,
  isJsonObject,
  type JsonObject,
  type ToolResult,
} from '../../core/index.js';
import { type ContextBudget, listed, type SentKind, spend } from '../../tool-text/index.js';
import { META_TOOL_NAMES } from '../../tools/index.js';

/** The budget after the answer to a call of `name`. */
export function chargeAnswer(
  budget: ContextBudget,
  name: string,
  result: ToolResult,
): ContextBudget {
  const tokens = resultTokens(result);
  const kind = kindOf(name, result);
  if (kind !== 'runs') return spend(budget, kind, tokens);
  // The answer about a run contains the results of its tools.
  const passedOn = Math.min(tokens, outputTokens(result.structuredContent));
  return spend(spend(budget, 'runs', tokens - passedOn), 'results', passedOn);
}

/** The budget of a client that reads the instructions and a list of tools. */
export function chargeList(
  budget: ContextBudget,
  { instructions, tools }: { readonly instructions: string; readonly tools: readonly JsonObject[] },
): ContextBudget {
  const tokens = { menu: estimateTokens(instructions), lists: 0 };
  for (const tool of tools) tokens[isOwn(tool) ? 'menu' : 'lists'] += toolTokens(tool);
  return listed(budget, tokens);
}

/** `tools` is the answer to `tools/list`. */
const isOwn = ({ name }: JsonObject) => typeof name === 'string' && META_TOOL_NAMES.has(name);

/** Definitions live as long as they do not change, and every client gets them. */
const TOOL_TOKENS = new WeakMap<JsonObject, number>();

/** Of the fields that clients hand to a model. */
function toolTokens(tool: JsonObject): number {
  const known = TOOL_TOKENS.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema } = tool;
  const tokens = estimateTokens(JSON.stringify({ name, description, inputSchema }));
  TOOL_TOKENS.set(tool, tokens);
  return tokens;
}

function kindOf(name: string, { structuredContent: answer, _meta }: ToolResult): SentKind {
  if (!META_TOOL_NAMES.has(name)) return 'results';
  if (name === 'pml_discover') return 'discover';
  // A run of one task returns the result of its tool.
  if (_meta?.['pml/run'] !== undefined && _meta['pml/error'] === undefined) return 'results';
  return isJsonObject(answer) && answer['status'] === 'suggested' ? 'plans' : 'runs';
}

/** Texts of a result; pictures and sounds cannot be counted before a model reads them. */
export function resultTokens({ content, structuredContent }: ToolResult): number {
  // A tool that asks for more input returns no content.
  const blocks = Array.isArray(content) ? content : [];
  const texts = blocks.flatMap((block) => {
    const resource = isJsonObject(block['resource']) ? block['resource'] : {};
    return [block['text'], resource['text']].filter((text) => typeof text === 'string');
  });
  // Structured content repeats the text for programs; without text it is the only content.
  if (texts.length === 0 && structuredContent !== undefined) {
    return estimateTokens(JSON.stringify(structuredContent));
  }
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** Of the results by task in an answer about a run, and of what a script gave and printed. */
function outputTokens(answer: unknown): number {
  if (!isJsonObject(answer)) return 0;
  const tasks = isJsonObject(answer['tasks']) ? Object.values(answer['tasks']) : [];
  const outputs = tasks.map((task) => (isJsonObject(task) ? task['result'] : undefined));
  return [...outputs, answer['result'], answer['logs']]
    .filter((output) => output !== undefined)
    .reduce<number>((sum, output) => sum + estimateTokens(JSON.stringify(output)), 0);
}
