import type { ControlParams } from '../../control/index.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';

/** Starts a run of one capability and gives the id of the run. */
export async function startCapability(
  request: ControlParams<'run-start'> & { readonly capability: string },
  flags: DaemonFlags,
): Promise<string> {
  const { answer } = await askStarted(flags, 'run-start', request);
  if ('run' in answer) return answer.run;
  throw new TypeError('the daemon answered with a plan instead of a run');
}
