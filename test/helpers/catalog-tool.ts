import { type CatalogTool, parseToolId } from '../../src/core/index.js';

/** A tool for tests: `parameters` maps the name of each optional parameter to its description. */
export function catalogTool(
  id: string,
  description = '',
  parameters: Readonly<Record<string, string>> = {},
): CatalogTool {
  const { id: parsed, server, tool } = parseToolId(id);
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, text]) => [name, { type: 'string', description: text }]),
  );
  return {
    id: parsed,
    server,
    definition: { name: tool, description, inputSchema: { type: 'object', properties } },
    hash: '',
    status: 'active',
    firstSeen: new Date(0),
    lastSeen: new Date(0),
  };
}
