import type { SessionState } from '../rpc/index.js';
import type { OpenRequest } from './lost-requests.js';

/**
 * The first messages on the daemon's socket, one JSON line each way. A relay opens two connections:
 * `session` carries the client's bytes untouched, `side` gives the relay what it needs to survive
 * the daemon. `control` carries the requests of our own command line.
 */
export const PROTOCOL = 1;

export type Hello =
  | {
      readonly kind: 'session';
      readonly protocol: number;
      readonly version: string;
      readonly session: string;
      readonly config: string;
      /** Name of the profile that the client uses. */
      readonly profile?: string;
      /** The client's session as the previous daemon last reported it. */
      readonly resume?: SessionState;
    }
  | { readonly kind: 'side'; readonly protocol: number; readonly session: string }
  | {
      readonly kind: 'control';
      readonly protocol: number;
      readonly version: string;
      /** The configuration of the command; without it any daemon of the directory will do. */
      readonly config?: string;
    };

export type HelloReply =
  | {
      readonly ok: true;
      readonly version: string;
      readonly pid: number;
      /** Which compiled sources it runs; daemons of old builds do not say. */
      readonly build?: string;
    }
  | {
      readonly ok: false;
      readonly code:
        | 'PROTOCOL_MISMATCH'
        | 'CONFIG_MISMATCH'
        | 'PROFILE_UNKNOWN'
        | 'STOPPING'
        | 'BAD_HELLO';
      readonly message: string;
    };

/** Lines on the side connection. */
export type SideMessage =
  | { readonly type: 'state'; readonly state: SessionState }
  /** The user stopped the daemon: the relay does not restart it at once. */
  | { readonly type: 'stopping' }
  | {
      readonly type: 'progress';
      /** Bytes of the client that were read as whole lines. */
      readonly read: number;
      /** Bytes written to the client. */
      readonly written: number;
      /** Requests read and not answered yet. */
      readonly open: readonly OpenRequest[];
    };
