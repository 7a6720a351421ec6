import type { JsonObject } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';

/** From most to least talkative. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

type LogLevelName = (typeof LOG_LEVELS)[number];

/** The level that a client asks for. */
export function levelIn({ level }: JsonObject): LogLevelName {
  const found = LOG_LEVELS.find((one) => one === level);
  if (found) return found;
  const known = LOG_LEVELS.join(', ');
  throw new RpcError(RPC.invalidParams, `Unknown level ${JSON.stringify(level)}; known: ${known}`);
}

/** Whether a client that wants messages from a level on wants this one. */
export function wantsLog(params: JsonObject, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const rank = (level: unknown) => (LOG_LEVELS as readonly unknown[]).indexOf(level);
  return rank(params['level']) >= rank(wanted);
}
