import type { CatalogTool, JsonObject, ToolId } from '../core/index.js';
import { shortDescription } from './short-description.js';
import { signature } from './signature.js';

export type Detail = 'names' | 'signature' | 'schema';

/** A tool as the agent sees it. */
export interface ToolHit {
  readonly tool: ToolId;
  readonly score: number;
  readonly signature?: string;
  readonly schema?: { readonly input: JsonObject; readonly output?: JsonObject };
  readonly description?: string;
  /** Where the words of the query were found, and what else speaks for it. */
  readonly why: string;
}

/** A tool that was found, and why. */
export interface ToolMatch {
  readonly tool: CatalogTool;
  /** In [0, 1]. */
  readonly score: number;
  /** Words of the query, each with what of the tool speaks for it. */
  readonly matches: readonly { readonly word: string; readonly field: string }[];
  /** What else speaks for it, in a few words each. */
  readonly reasons?: readonly string[];
}

export interface HitStyle {
  readonly detail: Detail;
  readonly signatureCharacters: number;
  readonly descriptionCharacters: number;
}

const SHOWN_WORDS = 3;

export function describeHit(hit: ToolMatch, style: HitStyle): ToolHit {
  const { tool, score } = hit;
  const { definition } = tool;
  const head = { tool: tool.id, score: Math.round(score * 100) / 100 };
  const why = whyFound(hit);
  if (style.detail === 'names') return { ...head, why };
  const text = shortDescription(definition, style.descriptionCharacters);
  const description = text ? { description: text } : {};
  if (style.detail === 'signature') {
    const line = signature(definition, { maxCharacters: style.signatureCharacters });
    return { ...head, signature: line, ...description, why };
  }
  const { inputSchema: input, outputSchema: output } = definition;
  return { ...head, schema: output ? { input, output } : { input }, ...description, why };
}

/** `name: read, file; server: disk; used 3× for the like`, words in the order they were asked for. */
function whyFound({ matches, reasons = [] }: ToolMatch): string {
  const words = new Map<string, string[]>();
  for (const { word, field } of matches.slice(0, SHOWN_WORDS)) {
    words.set(field, [...(words.get(field) ?? []), word]);
  }
  const parts = Array.from(words, ([field, found]) => `${field}: ${found.join(', ')}`);
  return [...parts, ...reasons].join('; ') || 'by name';
}
