import { parseToolId, type ToolId } from '../../core/index.js';
import { nameWords } from '../../words/index.js';

/** The role of a path or an address: it exists already, or the call creates it. */
export type LiteralRole = 'made' | 'there';

const words = (list: string): ReadonlySet<string> => new Set(nameWords(list));

/** Lead to something that is made. */
const MAKES = words(
  'save store write output export generate put saved stored written download dump record make append draft plot compile produce create',
);
/** The same, but what stands right behind is what they start from. */
const TURNS = words('copy move rename convert summarize translate turn go goes send');
const READING = words(
  'read get list describe info stat find view open load parse extract check show search tree grep diff status log fetch',
);
const MAKING = words('write save create export store put output generate download dump');
/** "Look into" leads to what is looked at. */
const LOOKS = words('look dig see check go read search');
const PASSED_OVER = words('the a an my our new file folder document');
/** Words of parameters for what is there, and for what is made. */
const TAKEN = words('input source from src');
const GIVEN = words('output destination dst');
/** What was read is written again. */
const AGAIN = words('back overwrite itself place same again');

/** By the words that lead to it, nearest first. */
export function roleOf(leading: readonly string[]): LiteralRole {
  const [first = '', ...rest] = leading.filter((word) => !PASSED_OVER.has(word));
  if (first === 'into') return LOOKS.has(rest[0] ?? '') ? 'there' : 'made';
  if (MAKES.has(first)) return 'made';
  const isMade = rest.some((word) => MAKES.has(word));
  if (first === 'in' || first === 'at' || first === 'under') {
    return isMade && !rest.includes('create') ? 'made' : 'there';
  }
  const isTurned = isMade || rest.some((word) => TURNS.has(word));
  return (first === 'to' || first === 'as') && isTurned ? 'made' : 'there';
}

export interface RoleOptions {
  readonly tool: ToolId;
  readonly param: string;
  /** Words the tool is asked for in. */
  readonly asked: readonly string[];
  /** Whether other tools would take it. */
  readonly isContended: boolean;
}

/** Whether the role of a parameter differs from the role of the literal. */
export function isOtherRole(role: LiteralRole, options: RoleOptions): boolean {
  const { tool, param, asked, isContended } = options;
  const names = nameWords(param);
  if (names.some((word) => TAKEN.has(word))) return role === 'made';
  if (names.some((word) => GIVEN.has(word))) return role === 'there' && isContended;
  const verb = nameWords(parseToolId(tool).tool).find((word) => {
    return READING.has(word) || MAKING.has(word);
  });
  if (verb === undefined) return false;
  if (READING.has(verb)) return role === 'made';
  return role === 'there' && isContended && !asked.some((word) => AGAIN.has(word));
}
