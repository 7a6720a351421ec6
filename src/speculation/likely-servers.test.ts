import { expect, test } from 'vitest';

import { parseToolId, type ServerName, type ToolId } from '../core/index.js';
import { likelyServers } from './likely-servers.js';

const ownServer = (tool: ToolId): readonly ServerName[] => [parseToolId(tool).server];
const found = (...scores: readonly (readonly [string, number])[]) =>
  scores.map(([tool, score]) => ({ tool: tool as ToolId, score }));

test('servers come once each, the likeliest first', () => {
  const tools = found(['a:x', 0.6], ['b:x', 0.9], ['b:y', 0.8], ['a:y', 0.5]);

  expect(likelyServers(tools, ownServer)).toEqual(['b', 'a']);
});

test('the hits of a vague question start nothing', () => {
  const tools = found(['a:x', 0.2], ['b:x', 0.15], ['c:x', 0.12], ['d:x', 0.1], ['e:x', 0.1]);

  expect(likelyServers(tools, ownServer)).toEqual([]);
});

test('what follows far behind the best hit starts nothing', () => {
  const tools = found(['a:x', 0.9], ['b:x', 0.4]);

  expect(likelyServers(tools, ownServer)).toEqual(['a']);
});

test('a capability stands for all servers that it calls', () => {
  const serversOf = () => ['a', 'b'] as ServerName[];

  expect(likelyServers(found(['cap:both', 0.8]), serversOf)).toEqual(['a', 'b']);
});
