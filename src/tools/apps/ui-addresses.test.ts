import { expect, test } from 'vitest';

import { serverName, type ToolResult } from '../../core/index.js';
import { isAppOnly, isAppTool, uiAddress } from './tool-ui.js';
import { UiAddresses } from './ui-addresses.js';

const [one, two, three] = ['one', 'two', 'three'].map(serverName) as [never, never, never];
const uri = 'ui://chart/view.html';

test('UiAddresses keeps an address that one server has, and names the server in one that two have', () => {
  const addresses = new UiAddresses([
    { server: one, uri },
    { server: one, uri },
    { server: two, uri },
    { server: three, uri: 'ui://other' },
  ]);

  expect(addresses.exposed(one, uri)).toBe(uri);
  expect(addresses.exposed(two, uri)).toBe('ui://two/chart/view.html');
  expect(addresses.find(uri)).toEqual({ server: one, uri });
  expect(addresses.find('ui://two/chart/view.html')).toEqual({ server: two, uri });
  expect(addresses.find('ui://other')).toEqual({ server: three, uri: 'ui://other' });
  expect([one, two, three].map((server) => addresses.hasRenamed(server))).toEqual([
    false,
    true,
    false,
  ]);
});

test('UiAddresses gives no address that a server has itself', () => {
  const taken = 'ui://two/chart/view.html';

  const addresses = new UiAddresses([
    { server: one, uri },
    { server: one, uri: taken },
    { server: two, uri },
  ]);

  expect(addresses.find(taken)).toEqual({ server: one, uri: taken });
  expect(addresses.exposed(two, uri)).toBe(`${taken}_`);
});

test('exposeResult changes nothing in a result of a server that keeps its addresses', () => {
  const addresses = new UiAddresses([{ server: one, uri }]);
  const result = { content: [{ type: 'resource_link', uri }] };

  expect(addresses.exposeResult(one, result)).toBe(result);
});

test('exposeResult leads links, resources and metadata to the server that gave the result', () => {
  const addresses = new UiAddresses([
    { server: one, uri },
    { server: two, uri },
  ]);
  const exposed = 'ui://two/chart/view.html';

  const result = addresses.exposeResult(two, {
    content: [
      { type: 'text', text: uri },
      { type: 'resource_link', uri },
      { type: 'resource', resource: { uri, text: 'x' } },
      { type: 'resource_link', uri: 'file:///x' },
    ],
    _meta: { ui: { resourceUri: uri }, 'ui/resourceUri': uri, other: 1 },
  });

  expect(result).toEqual({
    content: [
      { type: 'text', text: uri },
      { type: 'resource_link', uri: exposed },
      { type: 'resource', resource: { uri: exposed, text: 'x' } },
      { type: 'resource_link', uri: 'file:///x' },
    ],
    _meta: { ui: { resourceUri: exposed }, 'ui/resourceUri': exposed, other: 1 },
  });
});

test('exposeResult passes on a question of a server, which has no content', () => {
  const addresses = new UiAddresses([
    { server: one, uri },
    { server: two, uri },
  ]);
  const question = { resultType: 'input_required', inputRequests: {} } as unknown as ToolResult;

  expect(addresses.exposeResult(two, question)).toBe(question);
});

test('uiAddress and isAppOnly read both forms of metadata', () => {
  const tool = (_meta: unknown) => ({ name: 't', _meta });

  expect(uiAddress(tool({ ui: { resourceUri: uri } }))).toBe(uri);
  expect(uiAddress(tool({ 'ui/resourceUri': uri }))).toBe(uri);
  expect(uiAddress(tool(undefined))).toBeUndefined();
  expect(isAppOnly(tool({ ui: { visibility: ['app'] } }))).toBe(true);
  expect(isAppOnly(tool({ ui: { visibility: ['model', 'app'] } }))).toBe(false);
  expect(isAppTool(tool({ ui: { visibility: ['app'] } }))).toBe(true);
  expect(isAppTool(tool({ other: 1 }))).toBe(false);
});
