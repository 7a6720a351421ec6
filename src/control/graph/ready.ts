import type { LiveGraph } from '../../graph/index.js';
import type { Store } from '../../store/index.js';

export interface GraphDaemon {
  readonly graph: LiveGraph;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

/** Stored data is known only after PML has loaded it. */
export async function ready(daemon: GraphDaemon): ReturnType<GraphDaemon['store']> {
  const opened = await daemon.store();
  await daemon.graph.settled();
  return opened;
}
