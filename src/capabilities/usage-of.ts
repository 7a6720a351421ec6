import { analyzeCode, type StructureNode } from '../code/index.js';
import type { ToolUsage } from './compare-definitions.js';

type Task = Extract<StructureNode, { kind: 'task' }>;

/** What code gives to one of its tools and may read of its results, as far as its text tells. */
export function usageOf(code: string, tool: string): ToolUsage {
  const { nodes, isCut } = analyzeCode(code);
  const words = new Set(code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  const calls = nodes.filter((node): node is Task => node.kind === 'task' && node.tool === tool);
  const given = calls.map(({ input }) => fieldsOf(input));
  const isKnown = !isCut && given.length > 0 && given.every((fields) => fields !== undefined);
  return isKnown ? { words, given: given as readonly ReadonlySet<string>[] } : { words };
}

/** The parameters a call gives; nothing if some are worked out. */
function fieldsOf(input: Task['input']): ReadonlySet<string> | undefined {
  if (input.kind !== 'object' || (input.rest ?? []).length > 0) return undefined;
  return new Set(Object.keys(input.fields));
}
