import { createMcpHandler, McpServer, type Transport } from '@modelcontextprotocol/server';

import { isJsonObject, messageOf } from '../core/index.js';
import type { Gateway } from './gateway.js';
import { HttpServerChannel } from './http-channel.js';
import { Session } from './session.js';
import { serverCapabilities, serverInfo } from './settings.js';

/**
 * The stateless revision over HTTP. The SDK's handler checks headers, envelope and streams; this
 * stands where it expects a server and hands each message to a session of our own.
 */
class StatelessServer extends McpServer {
  readonly #gateway: Gateway;

  constructor(gateway: Gateway) {
    const { version } = gateway.settings;
    super(serverInfo(version) as { name: string; version: string }, {
      capabilities: serverCapabilities(gateway.settings),
    });
    this.#gateway = gateway;
  }

  override async connect(transport: Transport): Promise<void> {
    const channel = new HttpServerChannel(transport);
    const session = new Session(this.#gateway, channel, {
      id: 'http-stateless',
      isStateless: true,
      // The handler counts the exchanges it must end with; it learns of ours this way.
      onClose: () => this.server.onclose?.(),
    });
    void session;
    await transport.start();
  }

  /** Tools may want arguments repeated in headers; the handler asks for the schema to check them. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const { view, settings } = this.#gateway;
    if (settings.exposure.mode === 'meta') return undefined;
    const schema = view.tools.find(name)?.tool.definition.inputSchema;
    return isJsonObject(schema) ? schema : undefined;
  }
}

export function createStatelessHandler(gateway: Gateway) {
  const handler = createMcpHandler(() => new StatelessServer(gateway), {
    legacy: 'reject',
    onerror: (error) => gateway.log.debug('HTTP request refused', { error: messageOf(error) }),
  });
  const unwatch = gateway.watch({
    listChanged: (kind) => {
      if (kind === 'tools') handler.notify.toolsChanged();
      else if (kind === 'prompts') handler.notify.promptsChanged();
      else handler.notify.resourcesChanged();
    },
    resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
  });
  return { handler, unwatch };
}
