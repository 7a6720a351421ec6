import { randomUUID } from 'node:crypto';

import { isJsonObject, PmlError, type ServerName } from '../../core/index.js';
import type { OAuthClient, Discovered } from '../authorization-server.js';
import { asClientInformation, identify } from '../client-identity.js';
import { requestTokens, TokenRequestError } from '../token-requests.js';
import {
  failed,
  failedWith,
  failure,
  type FlowAddress,
  type FlowOutcome,
  type FlowPorts,
  PATIENCE_MS,
  recordOf,
  requestedScope,
  type SignInFlow,
} from './sign-in-flow.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Where the authorization server does not say how often it wants to be asked (RFC 8628). */
const USUAL_INTERVAL_SECONDS = 5;
/** No device flow returns anywhere, but a registration needs an address. */
const NOWHERE = 'http://127.0.0.1/callback';

interface DeviceAnswer {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly url: string;
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

/** The sign-in on another device: the person types a code there, and PML asks until it is done. */
export class DeviceFlow implements SignInFlow {
  readonly server: ServerName;
  readonly wantedScope: string | undefined;
  readonly done: Promise<FlowOutcome>;
  readonly address: FlowAddress;
  readonly #ports: FlowPorts;
  readonly #found: Discovered;
  readonly #client: OAuthClient;
  readonly #answer: DeviceAnswer;
  readonly #ended = new AbortController();
  #outcome: FlowOutcome = { status: 'waiting' };

  private constructor(
    ports: FlowPorts,
    found: Discovered,
    { client, answer }: { readonly client: OAuthClient; readonly answer: DeviceAnswer },
  ) {
    this.#ports = ports;
    this.#found = found;
    this.#client = client;
    this.#answer = answer;
    this.server = ports.signIn.spec.name;
    this.wantedScope = ports.signIn.wantedScope;
    this.address = { id: randomUUID(), url: answer.url, code: answer.userCode };
    this.done = this.#ask().then((outcome) => (this.#outcome = outcome));
  }

  static async begin(ports: FlowPorts, found: Discovered): Promise<DeviceFlow> {
    const { signIn, fetch } = ports;
    const { authorization, resource } = found;
    const endpoint = endpointOf(authorization.metadata);
    if (endpoint === undefined) throw failure('its authorization server has no flow for devices');
    const record = await signIn.record();
    const known = record?.issuer === authorization.metadata.issuer ? record.client : undefined;
    const scope = requestedScope(signIn, found);
    const client = await identify(authorization, {
      settings: signIn.settings,
      redirectUri: known?.redirectUri ?? NOWHERE,
      known,
      fetch,
    });
    const body = new URLSearchParams({
      client_id: client.clientId,
      ...(scope !== undefined && { scope }),
      ...(resource !== undefined && { resource }),
    });
    const { client_secret: secret } = asClientInformation(client);
    if (secret !== undefined) body.set('client_secret', secret);
    const headers = { accept: 'application/json' };
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    const answer = readAnswer(await response.json().catch(() => undefined));
    if (answer) return new DeviceFlow(ports, found, { client, answer });
    throw failure(`its authorization server answered HTTP ${response.status} without a code`);
  }

  get outcome(): FlowOutcome {
    return this.#outcome;
  }

  paste(): Promise<FlowOutcome> {
    return Promise.reject(
      new PmlError('BAD_REQUEST', 'Nothing is pasted in this flow: type the code at the address'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.done;
  }

  async #ask(): Promise<FlowOutcome> {
    const { expiresInMs } = this.#answer;
    let { intervalMs } = this.#answer;
    const until = this.#ports.now() + Math.min(expiresInMs, PATIENCE_MS);
    while (this.#ports.now() < until) {
      await pause(intervalMs, this.#ended.signal);
      if (this.#ended.signal.aborted) return failed('it was cancelled');
      try {
        return await this.#askOnce();
      } catch (error) {
        const reason = error instanceof TokenRequestError ? error.reason : undefined;
        if (reason === 'slow-down') intervalMs += USUAL_INTERVAL_SECONDS * 1_000;
        else if (reason !== 'pending' && reason !== 'passing') return failedWith(error);
      }
    }
    return failed('the user did not sign in in time');
  }

  async #askOnce(): Promise<FlowOutcome> {
    const { signIn, fetch, now } = this.#ports;
    const { authorization, resource } = this.#found;
    const client = this.#client;
    const tokens = await requestTokens(
      { authorization, client, resource, fetch, now },
      { grant_type: DEVICE_GRANT, device_code: this.#answer.deviceCode },
    );
    await signIn.adopt(recordOf(this.#found, { signIn, client, tokens, now: now() }));
    return { status: 'signed_in' };
  }
}

function endpointOf(metadata: object): string | undefined {
  const { device_authorization_endpoint: endpoint } = metadata as Record<string, unknown>;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

function readAnswer(value: unknown): DeviceAnswer | undefined {
  if (!isJsonObject(value)) return undefined;
  const { device_code: deviceCode, user_code: userCode, expires_in: seconds } = value;
  const url = value['verification_uri_complete'] ?? value['verification_uri'];
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string') return undefined;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return undefined;
  const interval = value['interval'];
  return {
    deviceCode,
    userCode,
    url,
    intervalMs: (typeof interval === 'number' ? interval : USUAL_INTERVAL_SECONDS) * 1_000,
    expiresInMs: typeof seconds === 'number' ? seconds * 1_000 : PATIENCE_MS,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
