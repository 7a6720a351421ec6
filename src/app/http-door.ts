import type { LoadedConfig } from '../config/load.js';
import type { OpenHttp } from '../control/index.js';
import type { Logger } from '../core/index.js';
import type { HttpServer } from '../gateway/http/http.js';
import { type BearerNames, isLoopback, type Sessions } from '../gateway/index.js';
import { type HttpToken, httpToken } from './open/http-token.js';

interface HttpDoorOptions {
  readonly config: () => LoadedConfig;
  readonly sessions: () => Sessions;
  readonly names: BearerNames;
  readonly log: Logger;
  readonly onChange: () => void;
}

interface OpenDoor {
  readonly server: HttpServer;
  readonly url: string;
  /** Where it listens, whatever the configuration says by now. */
  readonly host: string;
  readonly token: HttpToken;
}

/** HTTP beside the socket: opened on demand, once, with a token unless the user wants none. */
export class HttpDoor {
  readonly #options: HttpDoorOptions;
  #open: OpenDoor | undefined;
  #opening: Promise<OpenHttp> | undefined;

  constructor(options: HttpDoorOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get url(): string | undefined {
    return this.#open?.url;
  }

  /** A secret like those of the configuration. */
  get token(): string | undefined {
    return this.#open?.token.token;
  }

  get isOpenToAll(): boolean {
    return this.#open?.token.kind === 'none';
  }

  get sessionCount(): number {
    return this.#open?.server.sessionCount ?? 0;
  }

  get openRequests(): number {
    return this.#open?.server.openRequests ?? 0;
  }

  async open(port: number | undefined): Promise<OpenHttp> {
    if (this.#open) return describe(this.#open, false);
    this.#opening ??= this.#listen(port).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.server[Symbol.asyncDispose]();
    this.#options.onChange();
  }

  /** A client with a token that is no longer configured is refused from now on. */
  async renewToken({ file: { http }, dataDir }: LoadedConfig): Promise<void> {
    if (!this.#open) return;
    const token = await httpToken(http.token, dataDir);
    const { host } = this.#open;
    if (token.kind !== 'none' || isLoopback(host)) this.#open = { ...this.#open, token };
    else {
      this.#options.log.warn('http.token cannot be false for this host; the token stays as it was');
    }
  }

  async #listen(port: number | undefined): Promise<OpenHttp> {
    const { config, sessions, names, log, onChange } = this.#options;
    const { dataDir, file } = config();
    const { http, limits } = file;
    const token = await httpToken(http.token, dataDir);
    // With the SDK behind it this is most of what there is to load; stdio clients never need it.
    const { HttpServer } = await import('../gateway/http/http.js');
    const server = new HttpServer(sessions(), {
      host: http.host,
      port: port ?? http.port,
      token: () => (this.#open?.token ?? token).token,
      allowedHosts: http.allowedHosts,
      names,
      limits,
      log,
    });
    const url = await server.listen();
    this.#open = { server, url, host: http.host, token };
    onChange();
    log.info('serving HTTP', { url, access: token.kind });
    return describe(this.#open, token.kind === 'file' && token.isNew);
  }
}

/** The token itself stays out of it: the file has it, or the configuration. */
function describe({ url, token }: OpenDoor, isNewToken: boolean): OpenHttp {
  const tokenFile = token.kind === 'file' ? { tokenFile: token.path } : {};
  return { url, access: token.kind, ...tokenFile, ...(isNewToken && { isNewToken }) };
}
