import { createMcpHandler, McpServer, type Transport } from '@modelcontextprotocol/server';

import { isJsonObject, messageOf, type Principal } from '../../core/index.js';
import { serverCapabilities, serverInfo } from '../../tools/index.js';
import { Session } from '../session/session.js';
import type { Sessions } from '../session/sessions.js';
import { HttpServerChannel } from './http-channel.js';

/**
 * The stateless revision over HTTP. The SDK's handler checks headers, envelope and streams; this
 * stands where it expects a server and hands each message to a session of our own.
 */
class StatelessServer extends McpServer {
  readonly #sessions: Sessions;
  readonly #principal: Principal;

  constructor(sessions: Sessions, principal: Principal) {
    const { version } = sessions.tools.settings;
    super(serverInfo(version) as { name: string; version: string }, {
      capabilities: serverCapabilities(sessions.tools.settings),
    });
    this.#sessions = sessions;
    this.#principal = principal;
  }

  override async connect(transport: Transport): Promise<void> {
    const channel = new HttpServerChannel(transport);
    const session = new Session(this.#sessions, channel, {
      id: this.#principal,
      principal: this.#principal,
      isStateless: true,
      // The handler tracks the exchanges it must end; this tells it when ours closes.
      onClose: () => this.server.onclose?.(),
    });
    void session;
    await transport.start();
  }

  /** Tools may want arguments repeated in headers; the handler asks for the schema to check them. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const { settings } = this.#sessions.tools;
    const view = this.#sessions.tools.viewFor(this.#principal);
    if (settings.exposure.mode === 'meta') return undefined;
    const schema = view.tools.find(name)?.tool.definition.inputSchema;
    return isJsonObject(schema) ? schema : undefined;
  }
}

export function createStatelessHandler(sessions: Sessions) {
  const handler = createMcpHandler(
    ({ authInfo }) => new StatelessServer(sessions, readPrincipal(authInfo)),
    {
      legacy: 'reject',
      onerror: (error) => sessions.log.debug('HTTP request refused', { error: messageOf(error) }),
    },
  );
  const unwatch = sessions.watch({
    listChanged: (kind) => {
      if (kind === 'tools') handler.notify.toolsChanged();
      else if (kind === 'prompts') handler.notify.promptsChanged();
      else handler.notify.resourcesChanged();
    },
    resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
  });
  const fetch = (principal: Principal, request: Request, options: Parameters<Fetch>[1]) =>
    handler.fetch(request, {
      ...options,
      authInfo: { token: '', clientId: principal, scopes: [] },
    });
  return { handler, fetch, unwatch };
}

type Fetch = ReturnType<typeof createMcpHandler>['fetch'];

/** The SDK passes on the authenticated client: the principal that `fetch` names. */
function readPrincipal(authInfo: { readonly clientId: string } | undefined): Principal {
  if (!authInfo) throw new Error('A stateless request has no principal');
  return authInfo.clientId as Principal;
}
