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

/** The level that `logging/setLevel` names. */
export function readLogLevel({ level }: JsonObject): string {
  if ((LOG_LEVELS as readonly unknown[]).includes(level)) return level as string;
  const known = LOG_LEVELS.join(', ');
  throw new RpcError(RPC.invalidParams, `Unknown level ${JSON.stringify(level)}; known: ${known}`);
}

/** Whether a client that wants this level gets a log message. */
export function wantsLog(params: JsonObject, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const rank = (level: unknown) => (LOG_LEVELS as readonly unknown[]).indexOf(level);
  return rank(params['level']) >= rank(wanted);
}
