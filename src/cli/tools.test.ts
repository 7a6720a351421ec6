import { expect, test } from 'vitest';

import { runProgram } from './program.js';

test.each([
  ['tools', 'refresh', '--config', '/nowhere/pml.json'],
  ['tools', '--config', '/nowhere/pml.json', 'refresh'],
  ['tools', 'changes', '--config', '/nowhere/pml.json'],
  ['tools', 'approve', 'a:b', '--config', '/nowhere/pml.json'],
])('the configuration named in `%s %s %s %s` is the one used', async (...args) => {
  await expect(runProgram(['node', 'pml', ...args])).rejects.toThrow('/nowhere/pml.json');
});
