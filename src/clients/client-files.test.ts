import { expect, test } from 'vitest';

import { clientFiles, CLIENTS, type Machine } from './client-files.js';

const machine = (platform: NodeJS.Platform, home: string, env = {}): Machine => ({
  platform,
  home,
  cwd: platform === 'win32' ? String.raw`C:\p` : '/p',
  env,
});

const paths = (on: Machine) =>
  Object.fromEntries(CLIENTS.map((client) => [client, clientFiles(client, on).map((f) => f.path)]));

test('clientFiles knows where each client keeps its servers on Linux', () => {
  expect(paths(machine('linux', '/home/me'))).toEqual({
    'claude-code': ['/home/me/.claude.json', '/p/.mcp.json'],
    'claude-desktop': ['/home/me/.config/Claude/claude_desktop_config.json'],
    codex: ['/home/me/.codex/config.toml', '/p/.codex/config.toml'],
    cursor: ['/home/me/.cursor/mcp.json', '/p/.cursor/mcp.json'],
    gemini: ['/home/me/.gemini/settings.json', '/p/.gemini/settings.json'],
    goose: ['/home/me/.config/goose/config.yaml'],
    jetbrains: ['/home/me/.junie/mcp/mcp.json', '/p/.junie/mcp/mcp.json'],
    opencode: [
      '/home/me/.config/opencode/opencode.json',
      '/home/me/.config/opencode/opencode.jsonc',
      '/p/opencode.json',
      '/p/opencode.jsonc',
    ],
    zed: ['/home/me/.config/zed/settings.json', '/p/.zed/settings.json'],
    vscode: ['/home/me/.config/Code/User/mcp.json', '/p/.vscode/mcp.json'],
    windsurf: ['/home/me/.codeium/windsurf/mcp_config.json'],
  });
});

test('clientFiles knows the application folders of macOS and Windows', () => {
  const mac = paths(machine('darwin', '/Users/me'));
  const windows = paths(machine('win32', String.raw`C:\Users\me`));
  const roaming = paths(machine('win32', String.raw`C:\Users\me`, { APPDATA: String.raw`D:\r` }));

  expect(mac['claude-desktop']).toEqual([
    '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
  ]);
  expect(mac['vscode']?.[0]).toBe('/Users/me/Library/Application Support/Code/User/mcp.json');
  expect(windows['claude-desktop']).toEqual([
    String.raw`C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json`,
  ]);
  expect(roaming['vscode']?.[0]).toBe(String.raw`D:\r\Code\User\mcp.json`);
});

test('clientFiles follows the variables that move folders', () => {
  const moved = paths(machine('linux', '/h', { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c' }));

  expect(moved['claude-desktop']).toEqual(['/x/Claude/claude_desktop_config.json']);
  expect(moved['claude-code']?.[0]).toBe('/c/.claude.json');
});

test('clientFiles covers the Claude Code servers of the user and of this directory', () => {
  const [own] = clientFiles('claude-code', machine('linux', '/h'));

  expect(own?.serverPaths).toEqual([['mcpServers'], ['projects', '/p', 'mcpServers']]);
});
