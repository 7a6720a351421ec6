import { CAPABILITY_SERVER } from '../core/index.js';
import { READ_TOOL } from '../results/index.js';
import { META_TOOL_NAMES } from './meta-tools.js';

/** Names of ours. A tool of a server is never known by one of them, in whatever mode. */
export function isReservedName(name: string): boolean {
  return (
    META_TOOL_NAMES.has(name) || name === READ_TOOL || name.startsWith(`${CAPABILITY_SERVER}__`)
  );
}
