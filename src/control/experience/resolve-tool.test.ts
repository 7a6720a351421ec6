import { expect, test } from 'vitest';

import { serverName, toolId } from '../../core/index.js';
import { toolResolver } from './resolve-tool.js';

const id = (server: string, tool: string) => toolId(serverName(server), tool);
const resolve = toolResolver([
  id('github', 'create_issue'),
  id('jira', 'create_issue'),
  id('jira', 'close'),
]);

test.each([
  ['github:create_issue', 'github:create_issue'],
  ['github/create_issue', 'github:create_issue'],
  ['close', 'jira:close'],
])('%s is %s', (text, expected) => {
  expect(resolve(text)).toEqual({ status: 'known', id: expected });
});

test('a tool that no server has now is kept if it is written as one', () => {
  expect(resolve('slack:post')).toEqual({ status: 'kept', id: 'slack:post' });
});

test.each([
  'create_issue',
  'nope',
  'slack/post',
  'https://x.example/a',
  'a sentence: with a colon',
])('%s names no tool', (text) => {
  expect(resolve(text)).toEqual({ status: 'unknown' });
});
