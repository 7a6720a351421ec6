import { asJsonObject, isJsonObject, type JsonObject } from '../../core/index.js';
import type { NameTable, ViewTool } from '../exposed-names.js';
import { isAppOnly } from './tool-ui.js';
import type { UiAddresses } from './ui-addresses.js';

/** A tool as a client that shows user interfaces lists it: its address leads to the right server. */
export function listAppTool(
  entry: ViewTool,
  names: NameTable<ViewTool>,
  addresses: UiAddresses,
): JsonObject & { readonly name: string } {
  const listed = { ...asJsonObject(entry.tool.definition), name: nameOf(entry, names) };
  const meta = listed['_meta' as keyof typeof listed] as unknown;
  if (!addresses.hasRenamed(entry.server) || !isJsonObject(meta)) return listed;
  return { ...listed, _meta: addresses.exposeMeta(entry.server, meta) };
}

/**
 * A user interface calls the tools of its server by their own names, and clients refuse what they do
 * not list. So a tool that no model calls has its own name, if no other tool has it too.
 */
function nameOf(entry: ViewTool, names: NameTable<ViewTool>): string {
  const isOwn = isAppOnly(entry.tool.definition) && names.find(entry.name) === entry;
  return isOwn ? entry.name : names.nameOf(entry);
}
