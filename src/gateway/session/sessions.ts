import {
  asText,
  type JsonObject,
  type Logger,
  maskJson,
  messageOf,
  type Principal,
  type ServerName,
} from '../../core/index.js';
import type { Caller, NotifiedClient } from '../../servers/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { Workflows } from '../../workflows/index.js';
import type { Skills } from '../exposure/skills.js';
import { RunTasks } from '../tasks/run-tasks.js';
import { ClientScope } from './client-scope.js';
import type { ClientSession, ListKind } from './client-session.js';
import { HeldCalls } from './held-calls.js';
import { LOG_LEVELS } from './log-levels.js';

const WARM_UP_DELAY_MS = 300;

export interface ListWatcher {
  listChanged(kind: ListKind): void;
  resourceUpdated(uri: string): void;
}

export interface SessionsParts {
  readonly workflows: Workflows;
  readonly log: Logger;
  /** Hides known secrets only: for content that must otherwise reach a client unchanged. */
  readonly maskKnown?: (text: string) => string;
}

interface ChangedLists {
  readonly kinds: readonly ListKind[];
  readonly areAppsChanged: boolean;
}

/** All client sessions of a daemon, and the notifications they get between their requests. */
export class Sessions {
  readonly workflows: Workflows;
  readonly tools: ToolDirectory;
  readonly log: Logger;
  readonly held = new HeldCalls();
  readonly tasks: RunTasks;
  readonly maskKnown: (text: string) => string;
  readonly #all = new Set<ClientSession>();
  readonly #watchers = new Set<ListWatcher>();
  readonly #scopes = new WeakMap<Workflows, ClientScope>();
  /** The lists that clients last heard of, by their profile. */
  readonly #told = new Map<string | undefined, string>();

  constructor({ workflows, log, maskKnown = (text) => text }: SessionsParts) {
    this.workflows = workflows;
    this.tools = workflows.tools;
    this.tasks = new RunTasks(workflows);
    this.log = log;
    this.maskKnown = maskKnown;
    this.tools.onChange(() => this.#tellChanges());
  }

  get all(): ReadonlySet<ClientSession> {
    return this.#all;
  }

  /** What clients of a profile see, or those that name none. Named clients have a memory of their own. */
  within(profile: string | undefined, principal?: Principal): ClientScope {
    const workflows = this.workflows.within(profile, principal);
    const scope = this.#scopes.get(workflows) ?? new ClientScope(workflows, this.log);
    this.#scopes.set(workflows, scope);
    return scope;
  }

  /** Capabilities as Skills, in their current state. */
  get skills(): Skills {
    return this.within(undefined).skills;
  }

  add(session: ClientSession): void {
    const { profile } = session;
    const isFirst = ![...this.#all].some((one) => one.profile === profile);
    // Later changes are compared with the list this client is about to get.
    this.#all.add(session);
    if (isFirst) this.#told.set(profile, this.#listsOf(profile));
    this.#warmUpSoon();
  }

  remove(session: ClientSession): void {
    this.#all.delete(session);
    this.applyLogLevel();
    for (const uri of session.subscriptions) this.#unwatch(uri);
    this.workflows.clients.leave(session.id);
    this.held.leave(session.id);
    this.tasks.leave(session.id);
    this.tools.pool.extensions.leave(session.id);
    this.workflows.foresight?.left(session.id);
    void this.tools.pool.release(session.id);
  }

  /** Notifies watchers without a session of changes: the stateless side of HTTP. */
  watch(watcher: ListWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Asks the owner of a resource to report its changes. */
  subscribe(uri: string, caller: Caller): void {
    const { tools } = this.within(caller.profile, caller.principal);
    const found = tools.viewFor(caller.principal).findResource(uri);
    if (!found) return;
    this.tools.pool
      .get(found.server)
      .request('resources/subscribe', { uri: found.uri }, { caller })
      .catch((error: unknown) =>
        this.log.debug('resource not watched', { uri, error: messageOf(error) }),
      );
  }

  isSubscribed(uri: string): boolean {
    return [...this.#all].some((session) => session.subscriptions.has(uri));
  }

  /** Servers log at the lowest level any client wants. */
  applyLogLevel(): void {
    const levels = [...this.#all].flatMap((session) => session.logLevel ?? []);
    const lowest = LOG_LEVELS.find((level) => levels.includes(level));
    if (lowest) for (const server of this.tools.pool.all()) server.setLogLevel(lowest);
  }

  /** A notification of a server that no running call explains. */
  onServerNotification(
    server: ServerName,
    method: string,
    params: JsonObject | undefined,
    { caller, isFor }: NotifiedClient,
  ): void {
    const sessions = [...this.#all].filter(({ id }) => isFor(id));
    if (method === 'notifications/message') {
      const mask = (text: string) => this.#maskFor(server, text);
      const told = maskJson(params ?? {}, mask) as JsonObject;
      const message = { ...told, logger: loggerName(server, params) };
      if (caller) caller.tell(method, message);
      else for (const session of sessions) session.tell(method, message);
    } else if (method === 'notifications/elicitation/complete') {
      for (const session of sessions) session.tell(method, params ?? {});
    } else if (method === 'notifications/resources/updated') {
      for (const session of this.#all) session.resourceUpdated(server, params ?? {});
      for (const watcher of this.#watchers) watcher.resourceUpdated(asText(params?.['uri']));
    } else {
      this.log.debug('notification dropped', { server, method });
    }
  }

  /** Server logs go to clients without the secrets that only the server may know. */
  #maskFor(server: ServerName, text: string): string {
    const { pool } = this.tools;
    return pool.has(server) ? pool.get(server).mask(text) : this.workflows.mask(text);
  }

  /**
   * Between a client's greeting and its first question there is time to load the model and to index
   * what servers list. In proxy mode no client searches.
   */
  #warmUpSoon(): void {
    if (this.tools.settings.exposure.mode === 'proxy') return;
    setTimeout(() => this.tools.warmUp(), WARM_UP_DELAY_MS).unref();
  }

  #unwatch(uri: string): void {
    const { view, pool } = this.tools;
    const found = this.isSubscribed(uri) ? undefined : view.findResource(uri);
    if (found && pool.has(found.server)) pool.get(found.server).unwatch(found.uri);
  }

  #tellChanges(): void {
    if (this.#all.size > 0) this.#warmUpSoon();
    // Watchers without a session have the default profile.
    const profiles = new Set([undefined, ...[...this.#all].map(({ profile }) => profile)]);
    for (const profile of profiles) this.#tellChangesOf(profile);
  }

  #tellChangesOf(profile: string | undefined): void {
    const sessions = [...this.#all].filter((one) => one.profile === profile);
    const { kinds, areAppsChanged } = this.#changedLists(profile);
    for (const kind of kinds) {
      for (const session of sessions) session.listChanged(kind);
      if (profile !== undefined) continue;
      for (const watcher of this.#watchers) watcher.listChanged(kind);
    }
    // Only clients that show user interfaces list these.
    if (kinds.includes('tools') || !areAppsChanged) return;
    for (const session of sessions) if (session.hasUi) session.listChanged('tools');
  }

  #changedLists(profile: string | undefined): ChangedLists {
    const before = this.#told.get(profile)?.split('\n') ?? [];
    const lists = this.#listsOf(profile);
    this.#told.set(profile, lists);
    const now = lists.split('\n');
    const isChanged = (index: number) => now[index] !== before[index];
    const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources'];
    return {
      kinds: kinds.filter((_kind, index) => isChanged(index)),
      areAppsChanged: isChanged(kinds.length),
    };
  }

  #listsOf(profile: string | undefined): string {
    const hasUi = [...this.#all].some((one) => one.profile === profile && one.hasUi);
    return this.within(profile).listsFor({ hasUi });
  }
}

function loggerName(server: ServerName, params: JsonObject | undefined): string {
  const own = params?.['logger'];
  return typeof own === 'string' ? `${server}:${own}` : server;
}
