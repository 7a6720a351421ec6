import type { CatalogTool } from '../core/index.js';
import { nameDanger, nameWrites } from '../policy/index.js';

/** What a tool is like, whatever is asked for. */
export interface ToolNature {
  /** 0 when it only reads, 1 when it changes something, more when it destroys something. */
  readonly changes: number;
  /** Whether its own description tells agents to use another tool. */
  readonly isDeprecated: boolean;
}

const DESTROYS = 1.5;
const DEPRECATED = /\bdeprecated\b|\bobsolete\b/i;
/** A note about an old parameter comes later. */
const NOTED_WITHIN = 200;

const natures = new WeakMap<CatalogTool, ToolNature>();

export function natureOf(tool: CatalogTool): ToolNature {
  const known = natures.get(tool);
  if (known) return known;
  const { description } = tool.definition;
  const start = typeof description === 'string' ? description.slice(0, NOTED_WITHIN) : '';
  const nature = { changes: changesOf(tool), isDeprecated: DEPRECATED.test(start) };
  natures.set(tool, nature);
  return nature;
}

function changesOf({ server, definition: { name, annotations } }: CatalogTool): number {
  const isDestructive =
    nameDanger(name, server) !== undefined || annotations?.destructiveHint === true;
  const isReading = annotations?.readOnlyHint === true;
  const writes = nameWrites(name, server) !== undefined;
  if (isDestructive && (writes || !isReading)) return DESTROYS;
  return writes || annotations?.readOnlyHint === false ? 1 : 0;
}
