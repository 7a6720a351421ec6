import type { ToolId } from '../../core/index.js';

/**
 * What a session knows of the moment besides the names of the tools that it called. Each part may be
 * missing: then it speaks for no tool and against none.
 */
export interface SessionMoment {
  /** Whether the last call failed. */
  readonly hasFailed?: boolean;
  /** The arguments of the last call, as text. */
  readonly args?: string;
  /** The result or error of the last call, as text. */
  readonly result?: string;
  /** The tools that searches of this session listed, one list for each search, newest last. */
  readonly offered?: readonly (readonly ToolId[])[];
}

/** More of a text repeats what its beginning says, and takes time. */
const MOST_CHARACTERS = 1_500;

/** Values of a call as the text of a moment. */
export function momentText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, MOST_CHARACTERS);
}
