import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId, taskId, type ToolId } from '../../core/index.js';
import type { Suggestion, WeighedMember } from '../../suggest/index.js';
import type { CompletedSuggestion } from './complete-suggestion.js';
import { suggestFitting } from './suggest-fitting.js';

const LEARNED = {
  'delete the quarterly archive': ['read_a', 'delete_a'],
  'delete the archive of the quarter': ['read_b', 'delete_a'],
  'show the quarterly archive': ['read_a', 'read_b'],
};

/** Capabilities for all of these, by the requests they were learned from. */
async function learned() {
  const { workflows } = await runWorkflows();
  const idOf = new Map<string, ToolId>();
  for (const [intent, names] of Object.entries(LEARNED)) {
    const made = workflows.tools.capabilities.learn({
      code: names.map((name) => `await mcp.fake.${name}({});`).join('\n'),
      intent,
      run: runId('run_1'),
      calls: names.map((name) => ({ tool: `fake:${name}` as ToolId, ok: true })),
      definitionOf: (id) => workflows.tools.lockedDefinition(id),
      ms: 10,
    });
    if (made.kind === 'refused') throw new Error(made.reason);
    idOf.set(intent, `cap:${made.capability.name}` as ToolId);
  }
  const tools = [...idOf.values()];
  /** The remaining tools of a plan that had all of them, the first one likeliest. */
  const left = async (intent: string, members = tools) => {
    const first = await workflows.suggester.suggest(intent);
    const weighed = members.map((tool, place): WeighedMember => {
      return { tool, probability: 0.9 - place / 10, signals: new Float64Array() };
    });
    const { suggestion } = suggestFitting(workflows, { ...first, members: weighed }, complete);
    return members.filter((tool) => suggestion.evidence.toolOf(tool) !== undefined);
  };
  return { tools, left };
}

function complete(suggestion: Suggestion): CompletedSuggestion {
  const tasks = suggestion.members.map(({ tool }, place) => {
    return { id: taskId(`t${place}`), tool, args: {}, needs: [] };
  });
  const nothing = { bindings: [], ambiguous: [], broken: [], holes: [], values: [] };
  return { suggestion, filled: { plan: { tasks }, ...nothing } };
}

test('a capability that changes something is left out of the plan for a question', async () => {
  const { tools, left } = await learned();

  expect(await left('what is in the quarterly archive?')).toEqual(tools.slice(2));
});

test('the likelier of two capabilities that make the same change stays', async () => {
  const { tools, left } = await learned();
  const [first, second] = tools;

  expect(await left('remove the quarterly archive')).not.toContain(second);
  expect(await left('remove the quarterly archive', [second!, first!])).not.toContain(first);
});
