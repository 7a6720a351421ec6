import { fileURLToPath } from 'node:url';

const installed = (name: string): string =>
  fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );
const CRM = fileURLToPath(new URL('../fixtures/servers/customers-server.mjs', import.meta.url));

const node = (file: string, ...args: string[]) => ({
  command: process.execPath,
  args: [file, ...args],
});

/** The reference servers and a small CRM, as entries of `mcpServers`: 50 tools. */
export function everydayServers({
  folder,
  memory,
}: {
  readonly folder: string;
  readonly memory: string;
}) {
  return {
    filesystem: node(installed('server-filesystem'), folder),
    memory: { ...node(installed('server-memory')), env: { MEMORY_FILE_PATH: memory } },
    everything: node(installed('server-everything'), 'stdio'),
    thinking: node(installed('server-sequential-thinking')),
    crm: node(CRM),
  };
}
