import type { ControlMethod, ControlParams, ControlResult } from '../../control/index.js';
import { askDaemon, type AskOptions } from '../../daemon/control-client.js';

/** Asks the daemon of a data directory one thing of the contract; undefined when none runs. */
export async function askControl<M extends ControlMethod>(
  dataDir: string,
  method: M,
  params: ControlParams<M>,
  options: AskOptions = {},
): Promise<ControlResult<M> | undefined> {
  const answer = await askDaemon(dataDir, method, params, options);
  // A parsed edge, the only one: the daemon answers with JSON in the form that the contract gives the
  // method. A daemon of another build is noticed by its greeting.
  return answer as unknown as ControlResult<M> | undefined;
}
