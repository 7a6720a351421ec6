import { PmlError, type Principal, principal, type RunId, THE_USER } from '../../core/index.js';
import { extendTrail, NO_TRAIL, type Shown } from '../../discovery/index.js';
import type { Caller } from '../../servers/index.js';
import type { RequestContext } from '../../tools/index.js';

interface Clients {
  /** Requests that wait for the run now, newest last. */
  readonly waiting: Set<RequestContext>;
  /** A client that got its answer and can still be asked. */
  reachable: Caller | undefined;
  /** The trail of the first client: what PML showed to it led to the run. */
  readonly trail: RequestContext['trail'];
  /** The client that started the run. */
  readonly owner: Principal;
}

/**
 * The clients of each run. A run outlives the request that started it, and even the process: then
 * it calls its servers without a client, and questions are refused. Several clients may wait for
 * one run; if one of them leaves, the others are not affected.
 */
export class RunClients {
  readonly #runs = new Map<RunId, Clients>();
  /** Runs that made calls without a client. */
  readonly #alone = new Set<RunId>();

  /** The number of runs with a known client. */
  get size(): number {
    return this.#runs.size;
  }

  /** Every client that knows the id of a run may wait for it, not only its owner. */
  attach(run: RunId, context: RequestContext, owner: Principal = context.caller.principal): void {
    const known = this.#runs.get(run);
    if (known) known.waiting.add(context);
    else {
      const waiting = new Set([context]);
      this.#runs.set(run, { waiting, reachable: undefined, trail: context.trail, owner });
    }
  }

  /** A single call was answered: only the trail of its client is still needed. */
  answered(run: RunId): void {
    this.#runs.get(run)?.waiting.clear();
  }

  /** PML answered the request; its client may still be asked. */
  release(run: RunId, context: RequestContext): void {
    const clients = this.#runs.get(run);
    if (!clients?.waiting.delete(context)) return;
    // The stateless revision can ask only while a request is open.
    if (context.caller.era !== 'modern') clients.reachable = context.caller;
  }

  /** Whether another request waits for the run. */
  isAwaited(run: RunId, beside: RequestContext): boolean {
    const waiting = this.#runs.get(run)?.waiting ?? [];
    return [...waiting].some((context) => context !== beside && !context.signal.aborted);
  }

  /** Returns whether the run may have servers under its own session. */
  forget(run: RunId): { readonly wasAlone: boolean } {
    this.#runs.delete(run);
    return { wasAlone: this.#alone.delete(run) };
  }

  /** A client disconnected; its runs continue without it. */
  leave(session: string): void {
    for (const clients of this.#runs.values()) {
      for (const context of clients.waiting) {
        if (context.caller.session === session) clients.waiting.delete(context);
      }
      if (clients.reachable?.session === session) clients.reachable = undefined;
    }
  }

  /**
   * The caller of a run. If the client is not the owner, the run uses its own servers: it must not
   * reach the per-client servers of another client that waits for it.
   */
  callerOf(run: RunId, owner: Principal = THE_USER): Caller {
    const clients = this.#runs.get(run);
    const waiting = [...(clients?.waiting ?? [])].findLast(({ signal }) => !signal.aborted);
    const caller = waiting?.caller ?? clients?.reachable;
    if (caller && caller.principal === clients?.owner) return caller;
    this.#alone.add(run);
    const identity = { ...runIdentity(run), onBehalfOf: clients?.owner ?? owner };
    return { ...(caller ?? noClient(run)), ...identity };
  }

  /** Adds to the trail of the run what PML showed to its client. */
  show(run: RunId, shown: Shown): void {
    const trail = this.#runs.get(run)?.trail;
    if (trail) trail.current = extendTrail(trail.current, shown);
  }

  /** What the client of a run saw and called before. */
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

function noClient(run: RunId): Caller {
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
