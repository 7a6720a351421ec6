import { expect, test } from 'vitest';

import { FakeSandbox } from '../../../test/helpers/fake-sandbox.js';
import { gatewaySettings } from '../../../test/helpers/gateway-settings.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId, type Task, taskId, type ToolId } from '../../core/index.js';
import { codePorts } from './code-ports.js';

const NOTE = {
  name: 'write_note',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
};

/** Ports of a gateway with the capability `noteCity`, which was learned with Lisbon. */
async function portsOf(guesses: 'ask' | 'refuse') {
  const { workflows: rules } = gatewaySettings([]);
  const changes = { workflows: { ...rules, guesses } };
  const { workflows } = await runWorkflows({ changes, tools: [NOTE] });
  const learned = workflows.tools.capabilities.learn({
    code: `await mcp.fake.read_a({}); return mcp.fake.write_note({ city: 'Lisbon' });`,
    intent: 'note city',
    run: runId('run_0'),
    calls: ['fake:read_a', 'fake:write_note'].map((tool) => ({ tool: tool as ToolId, ok: true })),
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: 1,
  });
  expect(learned).toMatchObject({ capability: { name: 'noteCity' } });
  return codePorts(workflows, new FakeSandbox({}));
}

const call = (args: Task['args']): Task => {
  return { id: taskId('c1'), tool: 'cap:noteCity' as ToolId, args, needs: [] };
};

test('a call of a capability gets its example as a guess', async () => {
  const { fill } = await portsOf('ask');

  expect(fill(call({}))).toMatchObject({
    args: { city: 'Lisbon' },
    guessed: { city: { source: 'lifted default' } },
  });
  expect(fill(call({ city: 'Vienna' }))).toEqual(call({ city: 'Vienna' }));
});

test('a call that leaves a value to an example is refused where the user wants no guesses', async () => {
  const { refuse } = await portsOf('refuse');
  const options = { isReadOnly: false };

  expect(await refuse(call({}), options)).toEqual({
    code: 'ARGUMENTS_INVALID',
    message: expect.stringMatching(
      /^cap:noteCity: args\.city was not given\. .*"Lisbon".*write "Lisbon", or what is meant$/,
    ) as string,
  });
  expect(await refuse(call({ city: 'Vienna' }), options)).toBeUndefined();
});
