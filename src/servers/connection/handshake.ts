import {
  isJsonObject,
  type JsonObject,
  messageOf,
  PmlError,
  type ProtocolEra,
  type ServerName,
} from '../../core/index.js';
import {
  type Peer,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../rpc/index.js';
import { type ClientIdentity, withEnvelope } from './envelope.js';
import { isAboutSignIn } from './signed-fetch.js';

/** How long the answer to the probe is waited for where it may come after that to `initialize`. */
const LATE_PROBE_MS = 1_000;

export interface Greeting {
  readonly era: ProtocolEra;
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
  /** Eras the server was seen to speak, when this handshake could tell. */
  readonly eras: readonly ProtocolEra[] | undefined;
}

export interface HandshakeOptions {
  readonly server: ServerName;
  readonly want: ProtocolEra;
  /** Asks for the other era too, on the same connection, because we do not know yet. */
  readonly probe: boolean;
  /** Answers come in the order of the questions, as over stdio; over HTTP they overtake each other. */
  readonly isOrdered: boolean;
  readonly client: ClientIdentity;
  readonly timeoutMs: number;
}

/**
 * Opens the conversation. Both greetings go out at once when we have to find out what the server
 * speaks: an older server refuses `server/discover` and carries on, so the probe costs no round trip.
 */
export async function handshake(peer: Peer, options: HandshakeOptions): Promise<Greeting> {
  const { want, probe } = options;
  if (want === 'modern') return discover(peer, options);
  if (!probe) return initialize(peer, options, undefined);

  let modern: Greeting | undefined;
  let refused: PmlError | undefined;
  const discovering = discover(peer, options).then(
    (greeting) => (modern = greeting),
    // Speaks the older protocol only, which is the common case.
    (error: unknown) => void (refused = isAboutSignIn(error) ? error : undefined),
  );
  try {
    const legacy = await initialize(peer, options, undefined);
    if (!options.isOrdered) await atMost(LATE_PROBE_MS, discovering);
    return { ...legacy, eras: modern ? ['legacy', 'modern'] : ['legacy'] };
  } catch (error) {
    await discovering;
    if (modern) return { ...modern, eras: ['modern'] };
    // A server of the newer protocol alone refuses `initialize` before it asks who is there.
    throw refused ?? error;
  }
}

async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

async function discover(peer: Peer, options: HandshakeOptions): Promise<Greeting> {
  const params = withEnvelope(undefined, options.client);
  const result = await peer.request('server/discover', params, { timeoutMs: options.timeoutMs });
  if (!isJsonObject(result['capabilities'])) {
    throw protocolError(options.server, 'answered server/discover without capabilities');
  }
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {};
  const info = result['serverInfo'] ?? meta['io.modelcontextprotocol/serverInfo'];
  return {
    era: 'modern',
    protocolVersion: '2026-07-28',
    capabilities: result['capabilities'],
    serverInfo: isJsonObject(info) ? info : {},
    instructions: textOrUndefined(result['instructions']),
    eras: undefined,
  };
}

async function initialize(
  peer: Peer,
  { client, server, timeoutMs }: HandshakeOptions,
  eras: readonly ProtocolEra[] | undefined,
): Promise<Greeting> {
  const result = await peer
    .request(
      'initialize',
      {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: client.capabilities,
        clientInfo: client.info,
      },
      { timeoutMs },
    )
    .catch((error: unknown) => {
      if (error instanceof PmlError && error.code !== 'TOOL_TIMED_OUT') throw error;
      const hint =
        error instanceof PmlError ? `did not answer within ${timeoutMs} ms` : messageOf(error);
      throw new PmlError('SERVER_NOT_STARTED', `Server ${server} failed to initialize: ${hint}`, {
        cause: error,
        details: { server },
      });
    });
  const version = result['protocolVersion'];
  if (typeof version !== 'string' || !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    throw protocolError(
      server,
      `speaks protocol version ${JSON.stringify(version)}, which is unknown`,
    );
  }
  return {
    era: 'legacy',
    protocolVersion: version,
    capabilities: isJsonObject(result['capabilities']) ? result['capabilities'] : {},
    serverInfo: isJsonObject(result['serverInfo']) ? result['serverInfo'] : {},
    instructions: textOrUndefined(result['instructions']),
    eras,
  };
}

function protocolError(server: ServerName, what: string): PmlError {
  return new PmlError('SERVER_PROTOCOL_ERROR', `Server ${server} ${what}`, { details: { server } });
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
