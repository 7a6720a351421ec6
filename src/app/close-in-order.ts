import { type Logger, messageOf, PmlError } from '../core/index.js';
import type { Engine } from './engine.js';

type Close = () => unknown;

/** Closes every part, also after one that fails: a daemon whose data is gone must end, too. */
export async function closeInOrder(log: Logger, parts: readonly Close[]): Promise<void> {
  for (const close of parts) {
    try {
      await close();
    } catch (error) {
      log.error('a part of the daemon did not close', { error: messageOf(error) });
    }
  }
}

/** Runs, and all that they write. */
export function closingWork(engine: Engine, sandbox: AsyncDisposable): readonly Close[] {
  const { workflows, warming, results, capabilities, pool } = engine;
  return [
    () => workflows.runs[Symbol.asyncDispose](),
    () => sandbox[Symbol.asyncDispose](),
    // Lessons wait for each other: neither may run to its end before servers stop.
    () =>
      Promise.all([
        workflows.tools.discovery.stopLearning(),
        workflows.suggester[Symbol.asyncDispose](),
      ]),
    () => workflows.bindings[Symbol.asyncDispose](),
    () => workflows.planning.settled(),
    () => results.settled(),
    () => warming.used.settled(),
    () => capabilities.settled(),
    // Servers end before the store: it may take long to open, and they must not outlive a kill meanwhile.
    () => pool.close(new PmlError('DAEMON_UNREACHABLE', 'the daemon stops')),
  ];
}

/** What PML learned and has yet to write. */
export function closingLearning({
  speculation,
  graph,
  workflows,
  catalog,
}: Engine): readonly Close[] {
  return [
    () => speculation.ledger[Symbol.asyncDispose](),
    () => graph.stop(),
    () => workflows.tools.discovery[Symbol.asyncDispose](),
    () => catalog.settled(),
  ];
}
