import { expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { id } from '../../../test/helpers/graph-samples.js';
import type { CatalogTool } from '../../core/index.js';
import { MOMENT_SIGNALS, momentSignals } from './moment-signals.js';
import type { SessionMoment } from './moment.js';

const TOOLS = ['mail:find_message', 'mail:send_message', 'mail:search_message', 'cal:add_event'];
const takesEvent: CatalogTool = {
  ...catalogTool(id('cal:add_event')),
  definition: {
    name: 'add_event',
    inputSchema: { type: 'object', required: ['eventId'], properties: {} },
  },
};

function signalsOf(tool: string, moment: SessionMoment, intent = '') {
  const toolOf = (one: string) => (one === 'cal:add_event' ? takesEvent : catalogTool(id(one)));
  const done = [id('mail:find_message')];
  return momentSignals(TOOLS.map(id), { done, moment, evidence: { intent, toolOf } })(id(tool));
}

test('moment without knowledge says nothing about any tool', () => {
  for (const tool of TOOLS) {
    expect(Object.values(signalsOf(tool, {}))).toEqual(MOMENT_SIGNALS.map(() => 0));
  }
});

test('failed call speaks for similar tools and for tools of the same server', () => {
  const failed = { hasFailed: true };

  expect(signalsOf('mail:search_message', failed).failedLike).toBeGreaterThan(
    signalsOf('cal:add_event', failed).failedLike,
  );
  expect(signalsOf('mail:send_message', failed).failedServer).toBe(1);
  expect(signalsOf('cal:add_event', failed).failedServer).toBe(0);
  expect(signalsOf('mail:search_message', { hasFailed: false }).failedLike).toBe(0);
});

test('last result and arguments speak for the tools that they name', () => {
  const moment = { result: 'the event was moved', args: '{"words":"send"}' };

  expect(signalsOf('cal:add_event', moment).inResult).toBeGreaterThan(0);
  expect(signalsOf('mail:send_message', moment)).toMatchObject({ inResult: 0 });
  expect(signalsOf('mail:send_message', moment).inArguments).toBeGreaterThan(0);
});

test('last result speaks for a tool that requires one of its fields, in any spelling', () => {
  const fields = '{"items":[{\\"event_id\\": 7, "cut';

  expect(signalsOf('cal:add_event', { result: fields }).takesResult).toBe(1);
  expect(signalsOf('cal:add_event', { result: 'event_id 7' }).takesResult).toBe(0);
});

test('words of the intent that no called tool has speak for other tools', () => {
  const intent = 'find the message and add an event';

  expect(signalsOf('cal:add_event', {}, intent).unserved).toBeGreaterThan(0);
  expect(signalsOf('mail:search_message', {}, intent).unserved).toBe(0);
});

test('tools that a search of the session listed differ by whether they were called', () => {
  const offered = [[id('cal:add_event')], [id('mail:find_message'), id('mail:send_message')]];

  expect(signalsOf('cal:add_event', { offered })).toMatchObject({
    offered: 1,
    offeredUnused: 1,
    offeredLast: 0,
  });
  expect(signalsOf('mail:send_message', { offered }).offeredLast).toBe(1);
  expect(signalsOf('mail:find_message', { offered })).toMatchObject({
    offered: 1,
    offeredUnused: 0,
  });
});
