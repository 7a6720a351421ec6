import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows, type RunWorkflowsOptions } from '../../../test/helpers/run-workflows.js';
import type { ExecutionTrace, JsonObject } from '../../core/index.js';
import { graphOf } from '../../graph/index.js';
import { serveWorkflow } from '../serve-workflow.js';

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => {
  return { type: 'object', properties, required: Object.keys(properties) };
};
const READS = { annotations: { readOnlyHint: true } };
const TRACK = {
  name: 'track_parcel',
  description: 'Tells where a parcel is',
  inputSchema: object({ order_ref: text }),
  ...READS,
};
const FIND = {
  name: 'find_person',
  description: 'Looks somebody up',
  inputSchema: object({ email: { ...text, format: 'email' } }),
  outputSchema: object({ person_key: text }),
  ...READS,
};
const ORDER = {
  name: 'newest_purchase',
  description: 'What somebody bought',
  inputSchema: object({ person_key: text }),
  outputSchema: object({ order_ref: text }),
  ...READS,
};
const PLACE = { ...ORDER, name: 'place_purchase', annotations: { readOnlyHint: false } };

/** Runs without an intent. */
const runs = (giver: string): readonly ExecutionTrace[] =>
  Array.from({ length: 3 }, (_, place) =>
    served(`r${place}`, 'qqq', ['fake:find_person', `fake:${giver}`, 'fake:track_parcel'], {
      bindings: [
        { from: 0, to: 1, field: 'person_key', param: 'person_key' },
        { from: 1, to: 2, field: 'order_ref', param: 'order_ref' },
      ],
    }),
  );

async function ask(
  intent: string,
  traces: readonly ExecutionTrace[],
  changes: RunWorkflowsOptions['changes'] = {},
) {
  const { workflows } = await runWorkflows({ tools: [TRACK, FIND, ORDER, PLACE], changes });
  workflows.planning.learn(traces);
  workflows.graph.apply(graphOf(traces));
  const answer = await serveWorkflow(
    workflows,
    { intent, detail: 'full' },
    fakeClient('a').context,
  );
  return answer.structuredContent as JsonObject;
}

const TRACKING = 'track parcel where is a parcel ann@example.com';
const toolsOf = ({ tasks }: JsonObject) =>
  (tasks as readonly { readonly tool: string }[]).map(({ tool }) => tool);

test('a plan that lacks a value gets the steps that provide it, with the reason', async () => {
  const before = await ask(TRACKING, []);
  const answer = await ask(TRACKING, runs('newest_purchase'));

  expect(toolsOf(before)).toEqual(['fake:track_parcel']);
  expect(before).toMatchObject({ holes: [{ param: 'order_ref' }] });
  expect(answer).toMatchObject({
    layers: [['find_person'], ['newest_purchase'], ['track_parcel']],
    tasks: [
      { tool: 'fake:find_person', args: { email: 'ann@example.com' }, needs: [] },
      { args: { person_key: { $ref: 'find_person.person_key' } }, needs: ['find_person'] },
      { args: { order_ref: { $ref: 'newest_purchase.order_ref' } }, needs: ['newest_purchase'] },
    ],
    holes: [],
    why: {
      path: [
        {
          nodes: ['fake:find_person', 'fake:newest_purchase', 'fake:track_parcel'],
          added: ['fake:find_person', 'fake:newest_purchase'],
          gives: [
            'fake:find_person.person_key → fake:newest_purchase.person_key',
            'fake:newest_purchase.order_ref → fake:track_parcel.order_ref',
          ],
        },
      ],
    },
  });
  expect(answer['confidence']).toBeLessThanOrEqual(before['confidence'] as number);
});

test('a plan gets no step that would leave another value missing', async () => {
  const answer = await ask('track parcel where is a parcel', runs('newest_purchase'));

  expect(toolsOf(answer)).toEqual(['fake:track_parcel']);
  expect(answer).toMatchObject({ holes: [{ param: 'order_ref' }] });
});

test('a plan gets no additional step that changes something', async () => {
  expect(toolsOf(await ask(TRACKING, runs('place_purchase')))).toEqual(['fake:track_parcel']);
});

test('a plan gets no additional step that is denied or needs approval', async () => {
  const rules = { allow: [], ask: [], deny: [] };
  for (const permissions of [
    { ...rules, deny: ['fake:newest_purchase'] },
    { ...rules, ask: ['fake:find_person'] },
  ]) {
    const answer = await ask(TRACKING, runs('newest_purchase'), { permissions });

    expect(toolsOf(answer)).toEqual(['fake:track_parcel']);
  }
});
