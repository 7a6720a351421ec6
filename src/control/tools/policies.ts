import type { CatalogTool } from '../../core/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { ControlResult } from '../contract.js';
import type { ToolPolicyRow } from '../contract/policies.js';
import type { ControlledDaemon } from '../controlled-daemon.js';

/** What every tool's call meets, in order of the names. */
export async function listPolicies({
  workflows,
  catalog,
}: Pick<ControlledDaemon, 'workflows' | 'catalog'>): Promise<ControlResult<'tool-policies'>> {
  await workflows.tools.catalogLoaded;
  const rows = catalog
    .tools()
    .filter(({ status }) => status !== 'gone')
    .map((tool) => policyRow(workflows.tools, tool));
  return { policies: rows.toSorted((one, other) => (one.tool < other.tool ? -1 : 1)) };
}

function policyRow(tools: ToolDirectory, tool: CatalogTool): ToolPolicyRow {
  const { id, server, status, reason } = tool;
  const { risk, repeatable, denied } = tools.policyOf(id);
  const { approve } = tools.settings.workflows;
  const { ask } = tools.admit(id, { approve });
  const why = denied ?? ask?.why;
  return {
    tool: id,
    server,
    status,
    ...(reason !== undefined && { reason }),
    risk,
    isRepeatable: repeatable,
    decision: denied === undefined ? (ask ? 'ask' : 'allow') : 'deny',
    ...(denied === undefined && ask && { whom: ask.whom }),
    ...(why !== undefined && { why }),
  };
}
