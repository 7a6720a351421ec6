import { type JsonObject, type Logger, PmlError } from '../core/index.js';
import { asJson } from './as-json.js';
import type { ControlMethod } from './contract.js';
import type { ControlledDaemon } from './controlled-daemon.js';
import { HANDLERS, isControlMethod } from './handlers.js';
import { readParams } from './params.js';

/** Answers what our own command line asks of a running daemon. */
export function createControl(
  daemon: ControlledDaemon,
  log: Logger,
): (method: string, params: JsonObject) => Promise<JsonObject> {
  return async (method, params) => {
    log.debug('control', { method });
    if (isControlMethod(method)) return asJson(await answer(daemon, method, params));
    throw new PmlError('BAD_REQUEST', `Unknown control method ${method}`);
  };
}

function answer<M extends ControlMethod>(daemon: ControlledDaemon, method: M, params: JsonObject) {
  return HANDLERS[method](daemon, readParams(method, params));
}
