import { PmlError, type ServerTokens, type TokenRefusal } from '../../core/index.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A token may expire while its request waits in line; a second new one is refused for another reason. */
const MOST_REPLACEMENTS = 2;

export interface SignedFetchOptions {
  readonly tokens: ServerTokens;
  readonly server: string;
  readonly origin: string;
  /** Called with the error that the sender gets: the SDK wraps errors of a stream that it opens. */
  readonly onRefused: (error: PmlError) => void;
}

/**
 * `fetch` that sends the access token of the server, and repeats a request that the server refused
 * unread with the token that replaces it.
 */
export function signedFetch(base: Fetch, options: SignedFetchOptions): Fetch {
  const { tokens, server, origin, onRefused } = options;
  const sendSigned: Fetch = async (url, init) => {
    // The token is for this server; an address elsewhere, which its answer may name, does not get it.
    if (new URL(url).origin !== origin) return base(url, init);
    let token = await tokens.current();
    for (let replaced = 0; ; replaced++) {
      const response = await base(url, signed(init, token));
      const refusal = refusalOf(response, token);
      if (!refusal) return response;
      const next = await tokens.replace(refusal);
      if (next === undefined) return response;
      await response.body?.cancel();
      if (replaced === MOST_REPLACEMENTS) throw keepsRefusing(server, refusal.status);
      token = next;
    }
  };
  return (url, init) =>
    sendSigned(url, init).catch((error: unknown) => {
      if (error instanceof PmlError) onRefused(error);
      throw error;
    });
}

function signed(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function refusalOf(response: Response, token: string | undefined): TokenRefusal | undefined {
  const { status, headers } = response;
  return status === 401 || status === 403 ? { status, headers, token } : undefined;
}

function keepsRefusing(server: string, status: number): PmlError {
  return new PmlError(
    'SIGN_IN_FAILED',
    `Server ${server} answers ${status} to tokens that its authorization server has just issued`,
    { details: { server } },
  );
}

/** No token was to be had, so the request never left. */
export function isAboutSignIn(error: unknown): error is PmlError {
  return (
    error instanceof PmlError &&
    (error.code === 'SIGN_IN_NEEDED' || error.code === 'SIGN_IN_FAILED')
  );
}
