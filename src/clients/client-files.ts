import { posix, win32 } from 'node:path';

export const CLIENTS = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'gemini',
  'goose',
  'jetbrains',
  'opencode',
  'vscode',
  'windsurf',
  'zed',
] as const;
export type Client = (typeof CLIENTS)[number];

/** What locations depend on; passed in so that every platform can be tested on one. */
export interface Machine {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One file in which a client keeps servers. */
export interface ClientFile {
  readonly client: Client;
  readonly path: string;
  /** `project` files come with a directory, so a stranger may have written them. */
  readonly scope: 'user' | 'project';
  /** Places of server maps in the file; the first is where an entry is added. */
  readonly serverPaths: readonly (readonly string[])[];
  readonly maxBytes?: number;
  /** One of several files that the client reads: those that exist count, or else the first. */
  readonly isChoice?: true;
}

/** Claude Code keeps its history in the file that also holds the servers. */
const CLAUDE_CODE_MAX_BYTES = 64_000_000;

/** The files of a client, the user's own first. None of them need exist. */
export function clientFiles(client: Client, machine: Machine): readonly ClientFile[] {
  const flavour = machine.platform === 'win32' ? win32 : posix;
  const join = (...parts: string[]) => flavour.join(...parts);
  const { home, cwd, env } = machine;
  const user = (path: string, ...serverPaths: string[][]) =>
    ({ client, path, scope: 'user', serverPaths }) as const;
  const project = (path: string, key: string) =>
    ({ client, path, scope: 'project', serverPaths: [[key]] }) as const;
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  switch (client) {
    case 'claude-code': {
      const own = join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
      const local = ['projects', cwd, 'mcpServers'];
      return [
        { ...user(own, ['mcpServers'], local), maxBytes: CLAUDE_CODE_MAX_BYTES },
        project(join(cwd, '.mcp.json'), 'mcpServers'),
      ];
    }
    case 'claude-desktop': {
      const path = join(applicationData(machine), 'Claude', 'claude_desktop_config.json');
      return [user(path, ['mcpServers'])];
    }
    case 'codex':
      return [
        user(join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'), ['mcp_servers']),
        project(join(cwd, '.codex', 'config.toml'), 'mcp_servers'),
      ];
    case 'gemini':
      return [
        user(join(home, '.gemini', 'settings.json'), ['mcpServers']),
        project(join(cwd, '.gemini', 'settings.json'), 'mcpServers'),
      ];
    case 'goose': {
      const folder =
        machine.platform === 'win32'
          ? join(applicationData(machine), 'Block', 'goose', 'config')
          : join(config, 'goose');
      return [user(join(folder, 'config.yaml'), ['extensions'])];
    }
    case 'jetbrains':
      return [
        user(join(home, '.junie', 'mcp', 'mcp.json'), ['mcpServers']),
        project(join(cwd, '.junie', 'mcp', 'mcp.json'), 'mcpServers'),
      ];
    case 'opencode':
      return [
        { ...user(join(config, 'opencode', 'opencode.json'), ['mcp']), isChoice: true },
        { ...user(join(config, 'opencode', 'opencode.jsonc'), ['mcp']), isChoice: true },
        project(join(cwd, 'opencode.json'), 'mcp'),
        project(join(cwd, 'opencode.jsonc'), 'mcp'),
      ];
    case 'zed': {
      const folder =
        machine.platform === 'win32' ? join(applicationData(machine), 'Zed') : join(config, 'zed');
      return [
        user(join(folder, 'settings.json'), ['context_servers']),
        project(join(cwd, '.zed', 'settings.json'), 'context_servers'),
      ];
    }
    case 'cursor':
      return [
        user(join(home, '.cursor', 'mcp.json'), ['mcpServers']),
        project(join(cwd, '.cursor', 'mcp.json'), 'mcpServers'),
      ];
    case 'vscode':
      return [
        user(join(applicationData(machine), 'Code', 'User', 'mcp.json'), ['servers']),
        project(join(cwd, '.vscode', 'mcp.json'), 'servers'),
      ];
    case 'windsurf':
      return [user(join(home, '.codeium', 'windsurf', 'mcp_config.json'), ['mcpServers'])];
  }
}

function applicationData({ platform, home, env }: Machine): string {
  switch (platform) {
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support');
    case 'win32':
      return env['APPDATA'] || win32.join(home, 'AppData', 'Roaming');
    default:
      return env['XDG_CONFIG_HOME'] || posix.join(home, '.config');
  }
}
