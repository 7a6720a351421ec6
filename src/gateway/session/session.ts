import { randomUUID } from 'node:crypto';

import {
  asText,
  canonicalJson,
  declares,
  extensionsIn,
  isJsonObject,
  type JsonObject,
  type Principal,
  type ProtocolEra,
  type ServerName,
  THE_USER,
  UI_EXTENSION,
} from '../../core/index.js';
import { NO_TRAIL, type Trail } from '../../discovery/index.js';
import {
  type Channel,
  Peer,
  type RpcId,
  type RpcNotification,
  type RpcRequest,
  type SessionState,
  LATEST_PROTOCOL_VERSION,
  MODERN_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../rpc/index.js';
import type { Caller } from '../../servers/index.js';
import { type ContextBudget, createContextBudget } from '../../tool-text/index.js';
import { type RequestContext, serverCapabilities, serverInfo } from '../../tools/index.js';
import { encodeResult, type Envelope, readEnvelope } from '../eras/modern/modern.js';
import { assertModern, type Dispatch, serveModern } from '../eras/modern/serve-modern.js';
import { chargeList } from '../handlers/charge-answer.js';
import { listItems } from '../handlers/serve-lists.js';
import { passCompletion, passPrompt, passResource } from '../handlers/serve-resources.js';
import { serveSkills } from '../handlers/serve-skills.js';
import { callTool, listTools } from '../handlers/serve-tools.js';
import { serveTask } from '../tasks/serve-tasks.js';
import { assertShallow } from './assert-shallow.js';
import { lackingCapability, methodNotFound } from './client-capability.js';
import type { ClientScope } from './client-scope.js';
import type { ClientSession, ListKind } from './client-session.js';
import { Listeners } from './listeners.js';
import { levelIn, wantsLog } from './log-levels.js';
import { maskError } from './mask-error.js';
import { capabilityToolsFor, isNarrow } from './narrow-client.js';
import { progressReport } from './progress-report.js';
import type { SessionOptions } from './session-options.js';
import type { Sessions } from './sessions.js';

/** A user may take this long to answer a question of a server. */
const ASK_TIMEOUT_MS = 600_000;

/** One client: its own capabilities and requests, never mixed with those of another client. */
export class Session implements ClientSession {
  readonly id: string;
  readonly #sessions: Sessions;
  readonly #peer: Peer;
  readonly #options: SessionOptions;
  readonly #principal: Principal;
  readonly #subscriptions = new Set<string>();
  readonly #listeners: Listeners;
  readonly #exchange = randomUUID();
  #protocolVersion: string | undefined;
  #info: JsonObject = {};
  #capabilities: JsonObject = {};
  #logLevel: string | undefined;
  #fixedTools: JsonObject | undefined;
  /** As they were first listed: none comes or goes in the middle of a conversation. */
  #capabilityTools: readonly JsonObject[] | undefined;
  readonly #budget: { current: ContextBudget };
  readonly #trail: { current: Trail } = { current: NO_TRAIL };

  constructor(sessions: Sessions, channel: Channel, options: SessionOptions) {
    this.id = options.id;
    this.#sessions = sessions;
    this.#options = options;
    this.#principal = options.principal ?? THE_USER;
    this.#budget = { current: createContextBudget(sessions.tools.settings.context) };
    this.#peer = new Peer(
      channel,
      {
        request: (request, signal) =>
          this.#serve(request, signal).catch((error: unknown) => {
            throw maskError(error, { all: sessions.workflows.mask, known: sessions.maskKnown });
          }),
        notification: (notification) => this.#onNotification(notification),
        closed: () => this.#onClosed(),
      },
      sessions.log.with({ session: options.id }),
    );
    this.#listeners = new Listeners((method, params) => this.#peer.notify(method, params), {
      subscribe: (uri) => this.#sessions.subscribe(uri, this.#caller(0, undefined)),
    });
    if (!options.isStateless) sessions.add(this);
  }

  get profile(): string | undefined {
    return this.#options.profile ?? this.#sessions.tools.accessOf(this.#principal)?.profile;
  }

  /** What this client sees, by the configuration of this moment. */
  get #scope(): ClientScope {
    return this.#sessions.within(this.profile, this.#principal);
  }

  get logLevel(): string | undefined {
    return this.#logLevel;
  }

  get hasUi(): boolean {
    return declares(this.#capabilities, UI_EXTENSION);
  }

  get budget(): ContextBudget {
    return this.#budget.current;
  }

  get info(): JsonObject {
    return this.#info;
  }

  get state(): SessionState {
    return {
      protocolVersion: this.#protocolVersion,
      info: this.#info,
      capabilities: this.#capabilities,
      logLevel: this.#logLevel,
      subscriptions: [...this.#subscriptions],
    };
  }

  /** Resumes a session that another process began. */
  restore(state: SessionState): void {
    this.#protocolVersion = state.protocolVersion;
    this.#info = state.info;
    this.#capabilities = state.capabilities;
    this.#declare(state.capabilities);
    this.#logLevel = state.logLevel;
    this.#sessions.applyLogLevel();
    const context = this.#context(0, new AbortController().signal, undefined, {});
    for (const uri of state.subscriptions) {
      this.#subscriptions.add(uri);
      passResource(this.#scope, 'resources/subscribe', { uri }, context).catch(() =>
        this.#subscriptions.delete(uri),
      );
    }
  }

  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions;
  }

  /** A notification that belongs to no request of this client. */
  tell(method: string, params: JsonObject): void {
    if (this.#protocolVersion === undefined) return;
    if (method === 'notifications/message' && !wantsLog(params, this.#logLevel)) return;
    this.#peer.notify(method, params);
  }

  listChanged(kind: ListKind): void {
    if (kind === 'tools' && this.#fixedTools) return;
    this.#listeners.listChanged(kind);
    if (this.#protocolVersion !== undefined) {
      this.#peer.notify(`notifications/${kind}/list_changed`);
    }
  }

  resourceUpdated(server: ServerName, params: JsonObject): void {
    this.#listeners.resourceUpdated(params);
    for (const uri of this.#subscriptions) {
      const found = this.#view.findResource(uri);
      if (found?.server !== server || found.uri !== params['uri']) continue;
      this.#peer.notify('notifications/resources/updated', { ...params, uri });
    }
  }

  async close(reason: Error): Promise<void> {
    this.#listeners.closeAll();
    await this.#peer.close(reason);
  }

  async #serve({ id, method, params = {} }: RpcRequest, signal: AbortSignal): Promise<JsonObject> {
    assertShallow(params);
    const envelope = readEnvelope(params);
    if (!envelope) {
      return this.#dispatch(method, params, this.#context(id, signal, undefined, params));
    }
    assertModern(method, params, envelope);
    this.#declare(envelope.capabilities);
    if (method === 'subscriptions/listen') {
      return this.#listeners.listen(id, params, signal);
    }
    const context = this.#context(id, signal, envelope, params);
    const request = { method, params, envelope, context };
    const dispatch: Dispatch = (...call) => this.#dispatch(...call);
    const result = await serveModern(request, dispatch, this.#sessions);
    return encodeResult(method, result, serverInfo(this.#sessions.tools.settings.version));
  }

  async #dispatch(
    method: string,
    params: JsonObject,
    context: RequestContext,
  ): Promise<JsonObject> {
    const scope = this.#scope;
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'server/discover':
        return this.#discover();
      case 'ping':
        return {};
      case 'tools/list':
        return this.#listTools(declares(context.caller.capabilities, UI_EXTENSION));
      case 'tools/call':
        return callTool(scope.workflows, params, context);
      case 'resources/list':
      case 'resources/templates/list':
      case 'prompts/list':
        return listItems(scope, method, this.#principal);
      case 'resources/read':
        return passResource(scope, method, params, context);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(method, params, context);
      case 'prompts/get':
        return passPrompt(scope, params, context);
      case 'completion/complete':
        return passCompletion(scope, params, context);
      case 'skills/list':
      case 'skills/get':
        if (isNarrow(scope, this.#principal)) throw methodNotFound(method);
        return serveSkills(scope, method, params, context);
      case 'tasks/get':
      case 'tasks/update':
      case 'tasks/cancel':
        return serveTask(this.#sessions, method, params, context);
      case 'logging/setLevel':
        return this.#setLevel(params);
      default:
        throw methodNotFound(method);
    }
  }

  get #view() {
    return this.#scope.tools.viewFor(this.#principal);
  }

  /** With pinned tools the list is fixed when it is first read, so prompt caches stay valid. */
  async #listTools(hasUi: boolean): Promise<JsonObject> {
    if (this.#fixedTools) return this.#fixedTools;
    const scope = this.#scope;
    const tools = await listTools(scope.workflows, { principal: this.#principal, hasUi });
    this.#capabilityTools ??= await capabilityToolsFor(scope, this.#principal);
    const listed = { tools: [...tools, ...this.#capabilityTools] };
    this.#charge(listed.tools);
    const { mode } = scope.tools.settings.exposure;
    const isPinned =
      (mode === 'hybrid' || (mode === 'meta' && hasUi)) && !this.#options.isStateless;
    // A server that connects late must not be missing for ever.
    if (isPinned && this.#view.unlisted.length === 0) this.#fixedTools = listed;
    return listed;
  }

  /** A client reads the instructions once, and with each list the whole list. */
  #charge(tools: readonly JsonObject[]): void {
    const { instructions } = this.#scope.tools;
    this.#budget.current = chargeList(this.#budget.current, { instructions, tools });
  }

  #initialize(params: JsonObject): JsonObject {
    const wanted = params['protocolVersion'];
    const isKnown = typeof wanted === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(wanted);
    this.#protocolVersion = isKnown ? wanted : LATEST_PROTOCOL_VERSION;
    this.#info = isJsonObject(params['clientInfo']) ? params['clientInfo'] : {};
    this.#capabilities = isJsonObject(params['capabilities']) ? params['capabilities'] : {};
    this.#declare(this.#capabilities);
    this.#stateChanged();
    return { protocolVersion: this.#protocolVersion, ...this.#greeting() };
  }

  /** PML declares it to servers that clients share. A client without a session is known by what it declares. */
  #declare(capabilities: JsonObject): void {
    const extensions = extensionsIn(capabilities);
    if (!extensions) return;
    const client = this.#options.isStateless ? canonicalJson(extensions) : this.id;
    this.#sessions.tools.pool.extensions.declare(client, capabilities);
  }

  #discover(): JsonObject {
    return { supportedVersions: [MODERN_VERSION], ...this.#greeting() };
  }

  #greeting(): JsonObject {
    const { settings, instructions } = this.#scope.tools;
    if (this.budget.sent.menu === 0) this.#charge([]);
    return {
      capabilities: serverCapabilities(settings),
      serverInfo: serverInfo(settings.version),
      ...(instructions && { instructions }),
    };
  }

  async #subscribe(
    method: 'resources/subscribe' | 'resources/unsubscribe',
    params: JsonObject,
    context: RequestContext,
  ): Promise<JsonObject> {
    const uri = asText(params['uri']);
    const isEnd = method === 'resources/unsubscribe';
    if (isEnd) this.#subscriptions.delete(uri);
    // The server knows one client, us: it may stop only when no session wants the resource.
    const isShared = isEnd && this.#sessions.isSubscribed(uri);
    const result = isShared ? {} : await passResource(this.#scope, method, params, context);
    if (!isEnd) this.#subscriptions.add(uri);
    this.#stateChanged();
    return result;
  }

  #setLevel(params: JsonObject): JsonObject {
    this.#logLevel = levelIn(params);
    this.#sessions.applyLogLevel();
    this.#stateChanged();
    return {};
  }

  #context(
    id: RpcId,
    signal: AbortSignal,
    envelope: Envelope | undefined,
    params: JsonObject,
  ): RequestContext {
    return {
      signal,
      caller: this.#caller(id, envelope),
      onProgress: progressReport(params, (progress) =>
        this.#peer.notify('notifications/progress', progress, id),
      ),
      budget: this.#budget,
      trail: this.#trail,
    };
  }

  #caller(id: RpcId, envelope: Envelope | undefined): Caller {
    const era: ProtocolEra = envelope ? 'modern' : 'legacy';
    const level = envelope ? envelope.logLevel : this.#logLevel;
    const capabilities = envelope?.capabilities ?? this.#capabilities;
    const profile = this.profile ?? this.#sessions.tools.settings.profile;
    return {
      session: this.id,
      principal: this.#principal,
      ...(profile !== undefined && { profile }),
      user: this.#options.isStateless ? this.#exchange : this.id,
      era,
      info: envelope?.info ?? this.#info,
      capabilities,
      ask: (method, params, signal) => this.#ask(method, params, { id, signal }),
      tell: (method, params) => {
        // The stateless revision sends log messages only to clients that asked for them.
        if (envelope && level === undefined) return;
        if (wantsLog(params ?? {}, level)) this.#peer.notify(method, params, id);
      },
    };
  }

  async #ask(
    method: string,
    params: JsonObject | undefined,
    { id, signal }: { id: RpcId; signal: AbortSignal },
  ): Promise<JsonObject> {
    const lacking = lackingCapability(method, this.#capabilities);
    if (lacking) throw lacking;
    return this.#peer.request(method, params, {
      signal,
      timeoutMs: ASK_TIMEOUT_MS,
      relatedRequestId: id,
    });
  }

  #onNotification({ method }: RpcNotification): void {
    if (method === 'notifications/initialized') {
      this.#scope.workflows.warming.begin(this.#caller(0, undefined));
    }
    if (method === 'notifications/roots/list_changed') {
      for (const server of this.#sessions.tools.pool.all()) server.notifyAll(method);
    }
  }

  #stateChanged(): void {
    this.#options.onStateChange?.(this.state);
  }

  #onClosed(): void {
    if (!this.#options.isStateless) this.#sessions.remove(this);
    this.#options.onClose?.();
  }
}
