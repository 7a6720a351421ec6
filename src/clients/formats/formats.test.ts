import { expect, test } from 'vitest';

import { formatOf } from './format-of.js';
import { tomlSections } from './toml-sections.js';

const toml = formatOf('/home/me/.codex/config.toml');
const yaml = formatOf('/home/me/.config/goose/config.yaml');

const CODEX = `# my settings
model = "gpt" # the best
notify = [
  "[mcp_servers.not]", # an array, no header
]
prompt = """
[mcp_servers.text]
"""

# my servers
[mcp_servers.git]
command = "git-server" # fast
[mcp_servers.git.env]
TOKEN = "x"

[projects."/home/me/a]b"]
trust_level = "trusted"

[mcp_servers."two words"]
command = 'b'
# the end
`;

test('tomlSections finds headers, and no bracket within strings and arrays', () => {
  expect(tomlSections(CODEX).map(({ path }) => path)).toEqual([
    ['mcp_servers', 'git'],
    ['mcp_servers', 'git', 'env'],
    ['projects', '/home/me/a]b'],
    ['mcp_servers', 'two words'],
  ]);
});

test('a TOML edit replaces the tables of the servers and keeps every other byte', () => {
  const value = { pml: { command: 'node', args: ['cli.js', 'serve'] } };

  expect(toml.edit(CODEX, [{ path: ['mcp_servers'], value }])).toBe(`# my settings
model = "gpt" # the best
notify = [
  "[mcp_servers.not]", # an array, no header
]
prompt = """
[mcp_servers.text]
"""

# my servers
[mcp_servers.pml]
command = "node"
args = [ "cli.js", "serve" ]

[projects."/home/me/a]b"]
trust_level = "trusted"

# the end
`);
});

test('a TOML edit adds tables to a file that has none, with its line ends', () => {
  const value = { pml: { command: 'node' } };

  expect(toml.edit('a = 1\r\n', [{ path: ['mcp_servers'], value }])).toBe(
    'a = 1\r\n\r\n[mcp_servers.pml]\r\ncommand = "node"\r\n',
  );
  expect(toml.edit('', [{ path: ['mcp_servers'], value }])).toBe(
    '[mcp_servers.pml]\ncommand = "node"\n',
  );
});

const GOOSE = `GOOSE_MODEL: gpt  # best
extensions:
  # built in
  developer:
    enabled: true
    type: builtin
  git:
    enabled: true
    type: stdio
    cmd: git-server
    args: []
  memory: {type: builtin, enabled: false}
GOOSE_MODE: auto
`;

test('a YAML edit removes and adds single entries and keeps every other byte', () => {
  const edited = yaml.edit(GOOSE, [
    { path: ['extensions', 'git'], value: undefined },
    { path: ['extensions', 'pml'], value: { type: 'stdio', cmd: 'node', args: ['a b'] } },
  ]);

  expect(edited).toBe(`GOOSE_MODEL: gpt  # best
extensions:
  # built in
  developer:
    enabled: true
    type: builtin
  memory: {type: builtin, enabled: false}
  pml:
    type: stdio
    cmd: node
    args:
      - a b
GOOSE_MODE: auto
`);
});

test.each([
  ['an empty file', '', 'extensions:\n  pml:\n    cmd: x\n'],
  ['a file without the map', 'a: 1', 'a: 1\nextensions:\n  pml:\n    cmd: x\n'],
  ['an empty map', 'extensions: {}\na: 1\n', 'a: 1\nextensions:\n  pml:\n    cmd: x\n'],
  ['a map at the end', 'extensions:\n  b: 1', 'extensions:\n  b: 1\n  pml:\n    cmd: x\n'],
  [
    'a map of another depth',
    'extensions:\n    b: 1\n',
    'extensions:\n    b: 1\n    pml:\n      cmd: x\n',
  ],
])('a YAML edit adds an entry to %s', (_, text, edited) => {
  expect(yaml.edit(text, [{ path: ['extensions', 'pml'], value: { cmd: 'x' } }])).toBe(edited);
});

test.each([
  ['TOML', toml, 'a = 1\nb =\n', ':2:'],
  ['YAML', yaml, 'a: 1\nb: [1\n', ':'],
])('a broken file of %s is reported with its place', (_, format, text, place) => {
  const parsed = format.parse(text);

  expect(parsed.ok).toBe(false);
  expect('where' in parsed && parsed.where).toContain(place);
});
