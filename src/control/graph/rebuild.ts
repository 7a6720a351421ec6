import { type GraphRebuilt, PmlError } from '../../core/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import { type GraphDaemon, ready } from './ready.js';

/** Rebuilds it from all stored executions; answers when that is done. */
export async function rebuildGraph(
  daemon: GraphDaemon,
  { force: isForced = false }: ControlParams<'graph-rebuild'>,
): Promise<GraphRebuilt> {
  const { store, error } = await ready(daemon);
  if (!store) throw new PmlError('STORE_FAILED', error ?? 'the store is not open');
  return daemon.graph.rebuild(store.graph, { isForced });
}

/** During a rebuild: how many executions it has processed so far. */
export async function graphProgress({
  graph,
}: Pick<GraphDaemon, 'graph'>): Promise<ControlResult<'graph-progress'>> {
  return graph.rebuilding === undefined ? {} : { rebuilding: graph.rebuilding };
}
