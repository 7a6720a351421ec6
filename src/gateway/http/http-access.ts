import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Why a request may not come in, whatever token it carries. */
export function refuseAccess(
  { headers }: Pick<IncomingMessage, 'headers'>,
  hosts: string[],
): Refusal | undefined {
  if (!validateHostHeader(headers.host, hosts).ok) {
    return { status: 403, message: 'Host not allowed' };
  }
  if (!validateOriginHeader(headers.origin, hosts).ok) {
    return { status: 403, message: 'Origin not allowed' };
  }
  return undefined;
}

/** Whether the request carries the token of the user, or needs none. */
export function isUsersOwn(bearer: string, token: string | undefined): boolean {
  return token === undefined || isSameSecret(bearer, token);
}

/** Why a request without a good token may not come in. */
export function withoutToken(): Refusal {
  return {
    status: 401,
    message:
      'Missing or wrong bearer token. Send the header "Authorization: Bearer <token>"; `pml serve --http` says where the token is',
  };
}

export function bearerOf(authorization = ''): string {
  return /^bearer +(.*)$/i.exec(authorization)?.[1] ?? '';
}

/** Takes as long for a wrong secret as for the right one, whatever their lengths. */
function isSameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
