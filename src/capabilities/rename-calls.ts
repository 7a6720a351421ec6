import { analyzeCode, effectsOf } from '../code/index.js';

/**
 * Makes code call a capability by another name. Nothing if it calls it in a way that cannot be
 * rewritten, such as through a variable.
 */
export function renameCalls(code: string, from: string, to: string): string | undefined {
  const starts = analyzeCode(code).nodes.flatMap((node) =>
    node.kind === 'capability' && node.capability === from ? [node.span.start] : [],
  );
  // From the end, so that the places before stay where they are.
  const places = [...new Set(starts)].toSorted((one, other) => other - one);
  const call = new RegExp(`^(cap\\s*\\??\\.\\s*)${from}\\b`);
  const renamed = places.reduce(
    (text, start) => text.slice(0, start) + text.slice(start).replace(call, `$1${to}`),
    code,
  );
  return effectsOf(analyzeCode(renamed)).capabilities.includes(from) ? undefined : renamed;
}
