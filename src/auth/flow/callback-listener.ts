import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where the browser returns to, unless the user configures something else. */
const USUAL_PORT = 17_717;
const USUAL_PATH = '/callback';
const MOST_URL = 16_384;

export interface CallbackListener extends AsyncDisposable {
  readonly redirectUri: string;
}

export interface ListenOptions {
  readonly redirectUri: string | undefined;
  readonly port: number | undefined;
  /**
   * The browser returned. Answers with a sentence for the person, or undefined if the request does
   * not belong to this sign-in.
   */
  readonly onReturn: (params: URLSearchParams) => Promise<Returned | undefined>;
}

export interface Returned {
  readonly isSignedIn: boolean;
  readonly text: string;
}

/** Waits on this machine for the browser. A redirect that leads elsewhere can only be pasted. */
export async function listenForCallback(options: ListenOptions): Promise<CallbackListener> {
  const wanted = wantedAddress(options);
  if (!wanted) {
    return { redirectUri: options.redirectUri ?? '', [Symbol.asyncDispose]: async () => {} };
  }
  const { host, path, isFixed } = wanted;
  const server = createServer((request, response) => {
    const url = new URL((request.url ?? '/').slice(0, MOST_URL), 'http://localhost');
    if (request.method !== 'GET' || url.pathname !== path) return answer(response, 404, NOT_HERE);
    options.onReturn(url.searchParams).then(
      (returned) => {
        if (!returned) return answer(response, 400, STRANGER);
        answer(response, returned.isSignedIn ? 200 : 400, returned.text);
      },
      () => answer(response, 500, 'PML could not finish the sign-in. Its log says why.'),
    );
  });
  server.requestTimeout = 10_000;
  const port = await listen(server, { host, port: wanted.port, isFixed });
  const redirectUri = options.redirectUri ?? `http://${host}:${port}${path}`;
  return {
    redirectUri,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const NOT_HERE = 'There is nothing here.';
const STRANGER = 'This return does not belong to a sign-in that PML waits for. Start it again.';

function wantedAddress({ redirectUri, port }: ListenOptions) {
  if (redirectUri === undefined) {
    return { host: '127.0.0.1', port: port ?? USUAL_PORT, path: USUAL_PATH, isFixed: false };
  }
  const url = new URL(redirectUri);
  const isHere = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'http:' || !isHere) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port || 80), path: url.pathname, isFixed: true };
}

/** Another program may use the port; then any free one does, unless the redirect names the port. */
async function listen(
  server: Server,
  { host, port, isFixed }: { host: string; port: number; isFixed: boolean },
): Promise<number> {
  try {
    return await listenOn(server, host, port);
  } catch (error) {
    if (isFixed) throw error;
    return listenOn(server, host, 0);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(
    `<!doctype html><title>PML</title><body style="font:1rem system-ui;margin:4rem">${shown}`,
  );
}
