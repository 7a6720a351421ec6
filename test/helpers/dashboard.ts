import type { ControlMethod, ControlParams, ControlResult } from '../../src/control/contract.js';
import type { DashboardMessage, OpenDashboard } from '../../src/control/index.js';
import type { Workspace } from './workspace.js';

/** What `pml ui` prints: the daemon is started if need be. */
export async function openUi(workspace: Workspace): Promise<OpenDashboard> {
  const { stdout, stderr, code } = await workspace.run('ui', '--json');
  if (code !== 0) throw new Error(`pml ui failed: ${stderr}`);
  return JSON.parse(stdout) as OpenDashboard;
}

/** A browser that signed in, without its window. */
export class DashboardClient {
  readonly origin: string;
  readonly cookie: string;

  private constructor(origin: string, cookie: string) {
    this.origin = origin;
    this.cookie = cookie;
  }

  static async signIn(workspace: Workspace): Promise<DashboardClient> {
    const { url } = await openUi(workspace);
    const response = await fetch(url, { redirect: 'manual' });
    const [cookie = ''] = response.headers.getSetCookie();
    if (response.status !== 303 || !cookie) throw new Error(`no sign-in: ${response.status}`);
    return new DashboardClient(new URL(url).origin, cookie.split(';')[0] ?? '');
  }

  get headers(): Record<string, string> {
    const { cookie, origin } = this;
    const page = { 'x-pml-dashboard': '1', 'content-type': 'application/json' };
    return { cookie, origin, ...page };
  }

  post(path: string, params: object = {}): Promise<Response> {
    const { origin, headers } = this;
    return fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(params) });
  }

  async ask<M extends ControlMethod>(
    method: M,
    params: ControlParams<M>,
  ): Promise<ControlResult<M>> {
    const response = await this.post(`/api/${method}`, params);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
    return JSON.parse(text) as ControlResult<M>;
  }

  /** Follows the stream until disposed. */
  async events(lastEventId?: string): Promise<DashboardEvents> {
    const ended = new AbortController();
    const headers = { ...this.headers, ...(lastEventId && { 'last-event-id': lastEventId }) };
    const response = await fetch(`${this.origin}/api/events`, { headers, signal: ended.signal });
    if (!response.body) throw new Error(`no stream: ${response.status}`);
    return new DashboardEvents(response.body, ended);
  }
}

export class DashboardEvents implements AsyncDisposable {
  readonly messages: DashboardMessage[] = [];
  lastId = '';
  readonly #ended: AbortController;
  readonly #reading: Promise<void>;

  constructor(body: ReadableStream<Uint8Array>, ended: AbortController) {
    this.#ended = ended;
    // The stream ends with an error when the test or the daemon leaves.
    this.#reading = this.#read(body).catch(() => {});
  }

  of<T extends DashboardMessage['type']>(
    type: T,
  ): readonly Extract<DashboardMessage, { type: T }>[] {
    const isOne = (one: DashboardMessage): one is Extract<DashboardMessage, { type: T }> =>
      one.type === type;
    return this.messages.filter(isOne);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#reading;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) this.#take(part);
    }
  }

  #take(part: string): void {
    const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(part) ?? [];
    if (!id || !data) return;
    this.lastId = id;
    this.messages.push(JSON.parse(data) as DashboardMessage);
  }
}
