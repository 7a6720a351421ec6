import type { RemoteSignIns } from '../../auth/index.js';
import type { Logger } from '../../core/index.js';
import { repeat } from '../repeat.js';

/** Costs nothing while no server waits for a sign-in. */
const EVERY_MS = 2_000;

/** On a shared database: a sign-in at another gateway serves this one too. */
export function followSignIns(signIns: Pick<RemoteSignIns, 'lookAgain'>, log: Logger): () => void {
  const failure = 'cannot read the sign-ins of other gateways';
  const following = repeat(() => signIns.lookAgain(), { everyMs: EVERY_MS, failure, log });
  return () => void following[Symbol.asyncDispose]();
}
