import type { CatalogTool, JsonObject, ToolId } from '../core/index.js';
import { cutWords, deprecation, shortDescription } from './short-description.js';
import { signature } from './signature.js';

export type Detail = 'names' | 'signature' | 'schema';

/** A tool as the agent sees it. */
export interface ToolHit {
  readonly tool: ToolId;
  /** Missing where the tool was not searched for by an intent. */
  readonly score?: number;
  readonly signature?: string;
  readonly schema?: { readonly input: JsonObject; readonly output?: JsonObject };
  readonly description?: string;
  /** Why a call of it may have to be approved. */
  readonly risk?: ToolRisk;
  /** What its server says to use instead. */
  readonly deprecated?: string;
  /** Of several needs, the one it serves. */
  readonly for?: string;
  /** What speaks for it besides its own text. */
  readonly why?: string;
}

/** `destructive` by its name or by the word of its server; else the user wants to be asked. */
export type ToolRisk = 'destructive' | 'needs approval';

/** A tool that was found, and why. */
export interface ToolMatch {
  readonly tool: CatalogTool;
  /** In [0, 1]. */
  readonly score: number;
  /** Words of the query, each with what of the tool speaks for it. */
  readonly matches: readonly { readonly word: string; readonly field: string }[];
  /** What else speaks for it, in a few words each. */
  readonly reasons?: readonly string[];
  /** Of several needs, the one it serves best. */
  readonly need?: string;
  readonly risk?: ToolRisk | undefined;
}

export interface HitStyle {
  readonly detail: Detail;
  readonly signatureCharacters: number;
  readonly descriptionCharacters: number;
}

const SHOWN_NEED = 60;
/** That meanings were compared is no news to an agent. */
const UNTOLD = 'meaning';

export function describeHit(hit: ToolMatch, style: HitStyle): ToolHit {
  const { tool, score, need, risk, reasons = [] } = hit;
  const { definition } = tool;
  const rounded = Math.round(score * 100) / 100;
  const head = { tool: tool.id, ...(rounded > 0 && { score: rounded }) };
  const told = reasons.filter((reason) => reason !== UNTOLD);
  const deprecated = deprecation(definition);
  const tail = {
    ...(risk && { risk }),
    ...(deprecated !== undefined && { deprecated }),
    ...(need !== undefined && { for: cutWords(need, SHOWN_NEED) }),
    ...(told.length > 0 && { why: told.join('; ') }),
  };
  if (style.detail === 'names') return { ...head, ...tail };
  const text = shortDescription(definition, style.descriptionCharacters);
  const description = text ? { description: text } : {};
  if (style.detail === 'signature') {
    const line = signature(definition, { maxCharacters: style.signatureCharacters });
    return { ...head, signature: line, ...description, ...tail };
  }
  const { inputSchema: input, outputSchema: output } = definition;
  return { ...head, schema: output ? { input, output } : { input }, ...description, ...tail };
}
