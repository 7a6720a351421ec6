export type { LikelyTool } from './likely-servers.js';
export { UsedServers } from './used-servers.js';
export {
  NO_WARMING,
  type WarmCounts,
  type Warming,
  type WarmReason,
  WarmServers,
} from './warm-servers.js';
