import { nameParts, parseToolId, type ToolId } from '../../core/index.js';
import { wordSet } from '../../words/index.js';

/**
 * Kinds of tools that share a threshold. How far arguments can be foreseen depends on what a tool does:
 * a listing takes few, a lookup takes a value that was seen before, a search takes new words.
 */
const KINDS: readonly (readonly [kind: string, verbs: ReadonlySet<string>])[] = [
  ['search', wordSet('search query find lookup grep select sql google discover')],
  ['list', wordSet('list browse ls dir tree index enumerate status')],
  [
    'read',
    wordSet(
      'get read fetch show view describe load open retrieve check stat info head cat tail download',
    ),
  ],
];

/** The kind of a tool, by the first word of its name that says one; `other` if none does. */
export function kindOfTool(tool: ToolId): string {
  for (const part of nameParts(parseToolId(tool).tool)) {
    const found = KINDS.find(([, verbs]) => verbs.has(part.toLowerCase()));
    if (found) return found[0];
  }
  return 'other';
}
