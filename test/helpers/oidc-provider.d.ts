/** What the tests use of `oidc-provider`, which comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface FoundToken {
    readonly clientId?: string;
    readonly scopes: ReadonlySet<string>;
    readonly exp?: number;
  }

  interface TokenModel {
    find(token: string): Promise<FoundToken | undefined>;
  }

  interface Context {
    readonly path: string;
    readonly method: string;
    readonly body: unknown;
  }

  export class Provider {
    constructor(issuer: string, settings: object);
    readonly AccessToken: TokenModel;
    readonly RefreshToken: TokenModel;
    readonly ClientCredentials: TokenModel;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): void;
  }
}
