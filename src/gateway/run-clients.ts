import { PmlError, type RunId } from '../core/index.js';
import type { Trail } from '../discovery/index.js';
import type { Caller } from '../servers/index.js';
import type { RequestContext } from './request-context.js';

/**
 * Who a run works for. A run outlives the request that began it, and the process too: then its
 * servers are called on behalf of nobody, who can be asked nothing.
 */
export class RunClients {
  readonly #contexts = new Map<RunId, RequestContext>();

  attach(run: RunId, context: RequestContext): void {
    this.#contexts.set(run, context);
  }

  /** The request was answered: its client may still be asked, but hears of no progress. */
  release(run: RunId): void {
    const context = this.#contexts.get(run);
    if (!context) return;
    // The stateless revision can ask only while a request is open.
    if (context.caller.era === 'modern') this.#contexts.delete(run);
    else this.#contexts.set(run, { ...context, onProgress: undefined });
  }

  forget(run: RunId): void {
    this.#contexts.delete(run);
  }

  /** A client went away; its runs go on without it. */
  leave(session: string): void {
    for (const [run, { caller }] of this.#contexts) {
      if (caller.session === session) this.#contexts.delete(run);
    }
  }

  /** Who is called for. */
  callerOf(run: RunId): Caller {
    return this.#contexts.get(run)?.caller ?? nobody(run);
  }

  /** What the client of a run was shown before. */
  trailOf(run: RunId): Trail {
    return this.#contexts.get(run)?.trail.current ?? [];
  }
}

/** The session under which a run without a client has its own server processes. */
export function sessionOf(run: RunId): string {
  return `run:${run}`;
}

function nobody(run: RunId): Caller {
  const session = sessionOf(run);
  return {
    session,
    user: session,
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
