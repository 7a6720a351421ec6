/** A call long after another or after a question has probably nothing to do with it. */
export const SESSION_MS = 15 * 60_000;

/** Of the calls a client made before, so many tell what it works on. */
export const SESSION_CALLS = 12;
