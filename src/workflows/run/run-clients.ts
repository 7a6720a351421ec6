import { PmlError, type Principal, principal, type RunId } from '../../core/index.js';
import { extendTrail, NO_TRAIL, type Shown } from '../../discovery/index.js';
import type { Caller } from '../../servers/index.js';
import type { RequestContext } from '../../tools/index.js';

interface Clients {
  /** Requests that wait for the run now, newest last. */
  readonly waiting: Set<RequestContext>;
  /** A client whose request was answered, and that can be asked all the same. */
  reachable: Caller | undefined;
  /** Of the client that came first: what it was shown led to the run. */
  readonly trail: RequestContext['trail'];
  /** Who began the run. */
  readonly owner: Principal;
}

/**
 * Who a run works for. A run outlives the request that began it, and the process too: then its
 * servers are called on behalf of nobody, who can be asked nothing. Several clients may wait for
 * one run; that one of them leaves is nothing to the others.
 */
export class RunClients {
  readonly #runs = new Map<RunId, Clients>();
  /** Runs that something was called for on behalf of nobody. */
  readonly #alone = new Set<RunId>();

  /** Runs that somebody is known for. */
  get size(): number {
    return this.#runs.size;
  }

  /** Anyone who was given the id of a run may wait for it, not only its owner. */
  attach(run: RunId, context: RequestContext, owner: Principal = context.caller.principal): void {
    const known = this.#runs.get(run);
    if (known) known.waiting.add(context);
    else {
      const waiting = new Set([context]);
      this.#runs.set(run, { waiting, reachable: undefined, trail: context.trail, owner });
    }
  }

  /** The request was answered: its client may still be asked. */
  release(run: RunId, context: RequestContext): void {
    const clients = this.#runs.get(run);
    if (!clients?.waiting.delete(context)) return;
    // The stateless revision can ask only while a request is open.
    if (context.caller.era !== 'modern') clients.reachable = context.caller;
  }

  /** Whether somebody beside this request waits for the run. */
  isAwaited(run: RunId, beside: RequestContext): boolean {
    const waiting = this.#runs.get(run)?.waiting ?? [];
    return [...waiting].some((context) => context !== beside && !context.signal.aborted);
  }

  /** Says whether the run may have servers under a session of its own. */
  forget(run: RunId): { readonly wasAlone: boolean } {
    this.#runs.delete(run);
    return { wasAlone: this.#alone.delete(run) };
  }

  /** A client went away; its runs go on without it. */
  leave(session: string): void {
    for (const clients of this.#runs.values()) {
      for (const context of clients.waiting) {
        if (context.caller.session === session) clients.waiting.delete(context);
      }
      if (clients.reachable?.session === session) clients.reachable = undefined;
    }
  }

  /**
   * Who is called for. For somebody other than the owner the run keeps to servers of its own: it must
   * not reach the per-client servers of whoever happens to wait for it.
   */
  callerOf(run: RunId): Caller {
    const clients = this.#runs.get(run);
    const waiting = [...(clients?.waiting ?? [])].findLast(({ signal }) => !signal.aborted);
    const caller = waiting?.caller ?? clients?.reachable;
    if (caller && caller.principal === clients?.owner) return caller;
    this.#alone.add(run);
    return caller ? { ...caller, ...runIdentity(run) } : nobody(run);
  }

  /** Adds to what the client of a run was shown. */
  show(run: RunId, shown: Shown): void {
    const trail = this.#runs.get(run)?.trail;
    if (trail) trail.current = extendTrail(trail.current, shown);
  }

  /** What the client of a run was shown and called before. */
  trailOf(run: RunId): RequestContext['trail'] {
    return this.#runs.get(run)?.trail ?? { current: NO_TRAIL };
  }
}

/** The session under which a run without a client has its own server processes. */
export function sessionOf(run: RunId): string {
  return `run:${run}`;
}

function runIdentity(run: RunId): Pick<Caller, 'session' | 'principal'> {
  return { session: sessionOf(run), principal: principal('run', run) };
}

function nobody(run: RunId): Caller {
  const identity = runIdentity(run);
  return {
    ...identity,
    user: identity.session,
    era: 'legacy',
    info: { name: 'pml', version: '0' },
    capabilities: {},
    ask: (method) =>
      Promise.reject(
        new PmlError(
          'TOOL_DENIED',
          `${method}: the run goes on without a client that could answer`,
        ),
      ),
    tell: () => {},
  };
}
