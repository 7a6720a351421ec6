import {
  type BeginSignIn,
  isJsonObject,
  type JsonObject,
  type PendingSignIn,
  PmlError,
  type ServerName,
} from '../../core/index.js';
import type { CallContext } from '../request-context.js';

interface AskOptions {
  readonly context: CallContext;
  readonly beginSignIn: BeginSignIn;
}

/**
 * Sends the user to the page where they sign in, if the client can, and waits until they have.
 * False if the call has to end with the error: it says which command to type.
 */
export async function askSignIn(
  server: ServerName,
  error: unknown,
  { context, beginSignIn }: AskOptions,
): Promise<boolean> {
  const { caller, signal, origin } = context;
  const isNeeded = error instanceof PmlError && error.code === 'SIGN_IN_NEEDED';
  if (!isNeeded || origin?.isSpeculated || !opensPages(caller.capabilities)) return false;
  const pending = await beginSignIn(server);
  const answer = await caller.ask(
    'elicitation/create',
    {
      mode: 'url',
      elicitationId: pending.id,
      url: pending.url,
      message: `Sign in to ${server}, so that PML can call it for you.`,
    },
    signal,
  );
  if (answer['action'] !== 'accept') return false;
  const isSignedIn = await signedIn(pending, signal);
  caller.tell('notifications/elicitation/complete', { elicitationId: pending.id });
  return isSignedIn;
}

/** Whether the client asks its user to open pages. */
function opensPages({ elicitation }: JsonObject): boolean {
  return isJsonObject(elicitation) && isJsonObject(elicitation['url']);
}

async function signedIn({ done }: PendingSignIn, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
