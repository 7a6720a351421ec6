import { type CatalogTool, parseToolId, type ToolChange } from '../../core/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { KnownTool, ShownChange } from '../contract/tools.js';
import type { ControlledDaemon } from '../controlled-daemon.js';

type DefiningDaemon = Pick<ControlledDaemon, 'workflows' | 'catalog' | 'store'>;

const LISTED_CHANGES = 50;

/** Accepts the definition of a tool as it is now. */
export async function approve(
  { workflows, catalog }: Omit<DefiningDaemon, 'store'>,
  { tool: named }: ControlParams<'approve'>,
): Promise<KnownTool> {
  await workflows.tools.catalogLoaded;
  const { id } = parseToolId(named);
  // Without a store it is known when its server has listed it. What is known is not listed again: the
  // user approves what `pml tools changes` showed.
  if (!catalog.tool(id)) await workflows.tools.toolListing(id);
  const tool = catalog.approve(id);
  await catalog.settled();
  await catalog.pins.assertKept();
  return plainTool(tool);
}

/** Has a tool wait for an approval before anything calls it. */
export async function block(
  { workflows, catalog }: Omit<DefiningDaemon, 'store'>,
  { tool: named }: ControlParams<'block'>,
): Promise<KnownTool> {
  await workflows.tools.catalogLoaded;
  const tool = catalog.block(parseToolId(named).id);
  await catalog.settled();
  await catalog.pins.assertKept();
  return plainTool(tool);
}

/** How definitions changed, newest first. */
export async function listChanges(
  daemon: Omit<DefiningDaemon, 'workflows'>,
  { limit = LISTED_CHANGES }: ControlParams<'changes'>,
): Promise<ControlResult<'changes'>> {
  const { store } = await daemon.store();
  const rows = store ? await store.catalog.changes({ limit }) : daemon.catalog.pins.changes(limit);
  return { changes: rows.map((row) => shownChange(row, daemon.catalog.listed(row.tool))) };
}

function shownChange(change: ToolChange, now: CatalogTool | undefined): ShownChange {
  return {
    ...change,
    at: change.at.toISOString(),
    ...(now && { status: now.status, isCurrent: now.hash === change.newHash }),
  };
}

export function plainTool(tool: CatalogTool): KnownTool {
  const { firstSeen, lastSeen } = tool;
  return { ...tool, firstSeen: firstSeen.toISOString(), lastSeen: lastSeen.toISOString() };
}
