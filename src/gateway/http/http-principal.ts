import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { type Principal, principal } from '../../core/index.js';

/** A header with which a client proves, from request to request, that it is the same one. */
const CLIENT_HEADER = 'PML-Client';

/** At least 128 bits, however they are written. */
const CLIENT_SECRET = /^[\x21-\x7e]{32,256}$/;

export const BAD_CLIENT_HEADER = `${CLIENT_HEADER} must hold 32 to 256 random characters without spaces, chosen once by the client`;

/** The principal a client proves to be, nothing if it proves nothing, or what is wrong with its header. */
export function provenPrincipal(headers: IncomingHttpHeaders): Principal | undefined | 'invalid' {
  const secret = headers[CLIENT_HEADER.toLowerCase()];
  if (secret === undefined) return undefined;
  if (typeof secret !== 'string' || !CLIENT_SECRET.test(secret)) return 'invalid';
  return principal('client', markOf(secret));
}

/** Of a session: only its own client knows the id. */
export function sessionPrincipal(id: string): Principal {
  return principal('session', markOf(id));
}

export function exchangePrincipal(): Principal {
  return principal('exchange', randomUUID());
}

function markOf(secret: string): string {
  return createHash('sha256').update(`pml principal\n${secret}`).digest('base64url').slice(0, 22);
}
