import type { IncomingHttpHeaders } from 'node:http';

/** A header that a page of another origin cannot send without permission. */
const SAME_ORIGIN_HEADER = 'x-pml-dashboard';

export interface Request {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Why a request is refused: a page of another site may have sent it. */
export function refuseForeign(request: Request, port: number): string | undefined {
  const { host, origin } = request.headers;
  if (!isOwnHost(host, port)) return 'Host not allowed';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin not allowed';
  return undefined;
}

/**
 * Why a request for data is refused. `Sec-Fetch-Site` of the browser says where a request comes
 * from; without it the request must carry the header of our own page. A request that changes
 * something must carry that header and its origin.
 */
export function refuseData(request: Request): string | undefined {
  const { origin, [SAME_ORIGIN_HEADER]: own } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return 'Not from the dashboard';
  if (request.method === 'GET') {
    return site === undefined && own === undefined ? 'Not from the dashboard' : undefined;
  }
  if (own === undefined) return `The header ${SAME_ORIGIN_HEADER} is missing`;
  return origin === undefined ? 'The header Origin is missing' : undefined;
}

/** A foreign name that points to this machine is not ours (DNS rebinding). */
function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** The value of a cookie. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
