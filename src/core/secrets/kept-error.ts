import type { Mask } from './secrets.js';

/** What an error says stands at its beginning; the rest may be a whole page. */
const ERROR_CHARACTERS = 200;

/** The part of an error message that is kept. Masked before it is cut: half a secret looks like none. */
export function keptError(message: string, mask: Mask): string | undefined {
  const kept = mask(message).replaceAll(/\s+/g, ' ').trim().slice(0, ERROR_CHARACTERS);
  return kept === '' ? undefined : kept;
}
