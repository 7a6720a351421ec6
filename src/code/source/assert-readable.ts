import { fieldsOf, type Node } from './ast.js';
import { codeInvalid } from './code-error.js';

/**
 * The parser is native and recursive: code that nests deeply enough ends the process, not the
 * parse. What nests cannot be told before parsing, so everything that might is taken to nest. Bytes
 * of stack are for one level each, measured with one form repeated until it broke, and rounded up.
 */
const STACK_BYTES: readonly (readonly [RegExp, number])[] = [
  [/[([{]/g, 900],
  [/</g, 900],
  [/=>/g, 700],
  [/\bclass\b/g, 500],
  [/[=:]/g, 400],
  [/[*?]/g, 300],
  [/[-+!~.&|^%/>,]/g, 130],
  [
    /\b(?:await|case|delete|do|else|extends|for|function|if|infer|keyof|new|readonly|return|typeof|unique|void|while|yield)\b/g,
    400,
  ],
];

/** Half of what a thread has on the systems we know. */
const MAX_STACK_BYTES = 4_000_000;

/** Levels of the tree that our own functions walk down without running out of stack. */
const MAX_LEVELS = 500;

const SHORTER =
  'Keep data out of the code: pass it in `args` or read it with a tool or `await load(handle)`.';

/** Refuses a text that could be too much for the parser. */
export function assertReadable(text: string): void {
  let bytes = 0;
  for (const [form, each] of STACK_BYTES) {
    bytes += (text.match(form)?.length ?? 0) * each;
    if (bytes > MAX_STACK_BYTES) {
      throw codeInvalid(text, 0, { message: 'The code is too long.', hint: SHORTER });
    }
  }
}

/** Refuses a tree that is deeper than hand-written code. Not recursive, for that reason. */
export function assertShallowCode(text: string, program: Node): void {
  let level: readonly Node[] = [program];
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_LEVELS && first) {
      throw codeInvalid(text, first.start, {
        message: 'The code is nested too deeply.',
        hint: 'Use variables for parts of it.',
      });
    }
    level = level.flatMap((node) => fieldsOf(node).map(({ child }) => child));
  }
}
