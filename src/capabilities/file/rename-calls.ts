import {
  analyzeCode,
  type CodeStructure,
  effectsOf,
  type ParsedCode,
  parseCode,
} from '../../code/index.js';

/** Code with what it does. */
export interface ReadCode {
  readonly code: ParsedCode;
  readonly structure: CodeStructure;
}

export function readCode(code: ParsedCode): ReadCode {
  return { code, structure: analyzeCode(code) };
}

/**
 * Makes code call a capability by another name. Nothing if it calls it in a way that cannot be
 * rewritten, such as through a variable.
 */
export function renameCalls(read: ReadCode, from: string, to: string): ReadCode | undefined {
  const starts = read.structure.nodes.flatMap((node) =>
    node.kind === 'capability' && node.capability === from ? [node.span.start] : [],
  );
  // From the end, so that the places before stay where they are.
  const places = [...new Set(starts)].toSorted((one, other) => other - one);
  const call = new RegExp(`^(cap\\s*\\??\\.\\s*)${from}\\b`);
  const text = places.reduce(
    (before, start) => before.slice(0, start) + before.slice(start).replace(call, `$1${to}`),
    read.code.text,
  );
  const renamed = text === read.code.text ? read : readCode(parseCode(text));
  return effectsOf(renamed.structure).capabilities.includes(from) ? undefined : renamed;
}
