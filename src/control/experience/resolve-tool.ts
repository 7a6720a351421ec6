import { isServerName, type ToolId, toolId } from '../../core/index.js';

export type ResolvedTool =
  | { readonly status: 'known'; readonly id: ToolId }
  /** Written as `server:tool`, but no server has it now. It may come back. */
  | { readonly status: 'kept'; readonly id: ToolId }
  | { readonly status: 'unknown' };

/** What servers call their tools; a web address or a sentence is none. */
const TOOL_NAME = /^[\w./-]{1,128}$/;
const QUALIFIED = /^([^:/]+)[:/](.+)$/;

/** Which tool a text means: `server:tool`, `server/tool`, or a name that only one server has. */
export function toolResolver(ids: readonly ToolId[]): (text: string) => ResolvedTool {
  const known = new Set<string>(ids);
  const byName = new Map<string, ToolId | undefined>();
  for (const id of ids) {
    const name = id.slice(id.indexOf(':') + 1);
    byName.set(name, byName.has(name) ? undefined : id);
  }
  return (text) => {
    if (known.has(text)) return { status: 'known', id: text as ToolId };
    const named = byName.get(text);
    if (named !== undefined) return { status: 'known', id: named };
    const [, server = '', tool = ''] = QUALIFIED.exec(text) ?? [];
    if (!isServerName(server)) return { status: 'unknown' };
    const id = toolId(server, tool);
    if (known.has(id)) return { status: 'known', id };
    const isWritten = text === id && TOOL_NAME.test(tool) && !tool.startsWith('//');
    return isWritten ? { status: 'kept', id } : { status: 'unknown' };
  };
}
