import { PmlError } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';

/**
 * Stands in for the client in a call that it did not make: the server can ask and tell it nothing.
 * The refusal reads as that of a cancelled call, so that a question meant for a call the client did
 * make still reaches the client.
 */
export function aheadCaller(client: Caller, onAsked: () => void): Caller {
  return {
    session: client.session,
    principal: client.principal,
    user: client.user,
    era: client.era,
    info: client.info,
    capabilities: {},
    ask: (method) => {
      onAsked();
      return Promise.reject(
        new PmlError(
          'CALL_CANCELLED',
          `${method}: PML made this call by itself and answers nothing`,
        ),
      );
    },
    tell: () => {},
  };
}
