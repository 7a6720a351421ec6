import {
  isJsonObject,
  isServerName,
  type JsonValue,
  type Logger,
  messageOf,
  serverName,
  type ServerName,
} from '../core/index.js';

/** By the name of the client, the one seen last at the end: servers it used, the latest first. */
export type UsedServersByClient = ReadonlyMap<string, readonly ServerName[]>;

/** Clients give themselves names, so there may be any number, of any length. */
const MOST_CLIENTS = 20;
const MOST_NAME = 64;
/** More than a session begins with would start what the client may not need this time. */
const MOST_SERVERS = 4;
/** Calls come in bursts; what they used is written once. */
const WRITE_DELAY_MS = 2_000;

/** The same map if nothing changed. */
export function withUse(
  used: UsedServersByClient,
  client: string,
  server: ServerName,
): UsedServersByClient {
  const name = client.slice(0, MOST_NAME);
  const before = used.get(name) ?? [];
  if (before[0] === server) return used;
  const servers = [server, ...before.filter((one) => one !== server)].slice(0, MOST_SERVERS);
  const others = [...used].filter(([one]) => one !== name);
  return new Map([...others, [name, servers] as const].slice(-MOST_CLIENTS));
}

/** What is not a list of servers by client is left out: an old guess is worth no error. */
export function readUsedServers(value: JsonValue | undefined): UsedServersByClient {
  if (!isJsonObject(value)) return new Map();
  const entries = Object.entries(value).map(([client, servers]) => {
    const names = Array.isArray(servers) ? servers : [];
    const known = names.filter((one): one is string => typeof one === 'string');
    return [client, known.filter(isServerName).map(serverName).slice(0, MOST_SERVERS)] as const;
  });
  return new Map(entries.slice(-MOST_CLIENTS));
}

export interface UsedServersFile {
  read(): Promise<JsonValue | undefined>;
  write(value: JsonValue): Promise<void>;
}

/** Remembers over restarts which servers each client used last in this data directory. */
export class UsedServers {
  readonly #file: UsedServersFile;
  readonly #log: Logger;
  readonly #loaded: Promise<void>;
  #used: UsedServersByClient = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(file: UsedServersFile, log: Logger) {
    this.#file = file;
    this.#log = log;
    this.#loaded = this.#load();
  }

  async of(client: string): Promise<readonly ServerName[]> {
    await this.#loaded;
    return this.#used.get(client.slice(0, MOST_NAME)) ?? [];
  }

  note(client: string, server: ServerName): void {
    const before = this.#used;
    this.#used = withUse(before, client, server);
    if (this.#used === before || this.#timer) return;
    this.#timer = setTimeout(() => void this.#write(), WRITE_DELAY_MS);
    this.#timer.unref();
  }

  /** Writes what is not written yet. */
  async settled(): Promise<void> {
    if (this.#timer) await this.#write();
  }

  async #load(): Promise<void> {
    try {
      const stored = readUsedServers(await this.#file.read());
      const news = this.#used;
      this.#used = stored;
      for (const [client, servers] of news) {
        for (const server of servers.toReversed()) this.#used = withUse(this.#used, client, server);
      }
    } catch (error) {
      this.#log.warn('servers of earlier sessions not read', { error: messageOf(error) });
    }
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#loaded;
    try {
      await this.#file.write(Object.fromEntries(this.#used) as JsonValue);
    } catch (error) {
      this.#log.warn('servers of this session not written', { error: messageOf(error) });
    }
  }
}
