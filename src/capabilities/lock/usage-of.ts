import type { StructureNode } from '../../code/index.js';
import { type CapabilityVersion, isJsonObject, type JsonValue } from '../../core/index.js';
import type { ToolUsage } from './compare-definitions.js';

/**
 * What code gives to one of its tools and may read of its results, as far as its text tells. Where its
 * structure is not in a form that is known, nothing is: it may have been kept long ago.
 */
export function usageOf({ code, structure }: CapabilityVersion, tool: string): ToolUsage {
  const words = new Set(code.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  const given = tasksOf(structure)
    .filter((task) => task['tool'] === tool)
    .map(({ input }) => fieldsOf(input));
  const isKnown = given.length > 0 && given.every((fields) => fields !== undefined);
  return isKnown ? { words, given } : { words };
}

type Task = Extract<StructureNode, { kind: 'task' }>;

function tasksOf(structure: JsonValue): readonly Task[] {
  if (!isJsonObject(structure) || structure['isCut'] !== false) return [];
  const { nodes } = structure;
  if (!Array.isArray(nodes)) return [];
  return (nodes as readonly unknown[]).filter(
    (node): node is Task => isJsonObject(node) && node['kind'] === 'task',
  );
}

/** The parameters a call gives; nothing if some are worked out. */
function fieldsOf(input: Task['input'] | undefined): ReadonlySet<string> | undefined {
  if (input?.kind !== 'object' || (input.rest ?? []).length > 0) return undefined;
  return new Set(Object.keys(input.fields));
}
