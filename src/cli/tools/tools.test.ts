import { expect, test } from 'vitest';

import { serverName, toolId } from '../../core/index.js';
import { runProgram } from '../program.js';
import { QUICK_COMMANDS } from '../quick-commands.js';
import { describeChange, describeTools } from './tools.js';

test.each([
  ['tools', 'refresh', '--config', '/nowhere/pml.json'],
  ['tools', '--config', '/nowhere/pml.json', 'refresh'],
  ['tools', 'changes', '--config', '/nowhere/pml.json'],
  ['tools', 'approve', 'a:b', '--config', '/nowhere/pml.json'],
])('the configuration named in `%s %s %s %s` is the one used', async (...args) => {
  await expect(runProgram(args, QUICK_COMMANDS)).rejects.toThrow('/nowhere/pml.json');
});

test('what servers wrote cannot repaint the terminal', () => {
  const name = 'x\u001B[2K';
  const listed = describeTools([
    {
      id: toolId(serverName('a'), name),
      server: serverName('a'),
      definition: { name, description: 'Reads\u009B1A files', inputSchema: {} },
      hash: '1',
      status: 'active',
      firstSeen: new Date(0).toISOString(),
      lastSeen: new Date(0).toISOString(),
      visible: true,
    },
  ]);
  const changed = describeChange({
    tool: toolId(serverName('a'), name),
    at: 'now',
    kind: 'changed',
    diff: ['+ title: "\u001B[1A"'],
  });

  expect(listed).toContain(String.raw`a:x\u{1b}[2K`);
  expect(listed).toContain(String.raw`Reads\u{9b}1A files`);
  expect(changed).toEqual([
    String.raw`now  changed   a:x\u{1b}[2K`,
    String.raw`    + title: "\u{1b}[1A"`,
  ]);
});
