import { matchGlobs, type ToolId } from '../core/index.js';
import type { GatewaySettings } from './settings.js';

export type Permission = 'allow' | 'ask' | 'deny';

/** Compiles the permission globs. deny wins over ask; what neither names is allowed. */
export function permissionRules(
  rules: GatewaySettings['permissions'],
): (tool: ToolId) => Permission {
  const isDenied = matchGlobs(rules.deny);
  const isAsked = matchGlobs(rules.ask);
  return (tool) => {
    if (isDenied(tool)) return 'deny';
    return isAsked(tool) ? 'ask' : 'allow';
  };
}
