import { PmlError, type ServerName, WAS_REFUSED } from '../core/index.js';

/** Only a person can go on. The server refused the call unread, so it may be repeated afterwards. */
export function signInNeeded(server: ServerName, why: string): PmlError {
  return new PmlError(
    'SIGN_IN_NEEDED',
    `Server ${server} needs you to sign in: ${why}. Run: pml auth login ${server}`,
    { details: { server, [WAS_REFUSED]: true } },
  );
}

/** The authorization server does not answer, or not with tokens. The tokens that PML has are kept. */
export function renewalFailed(server: ServerName, cause: Error): PmlError {
  return new PmlError(
    'SIGN_IN_FAILED',
    `The access token of server ${server} could not be renewed: ${cause.message}. PML stays signed in and tries again with the next call`,
    { cause, details: { server, [WAS_REFUSED]: true } },
  );
}
