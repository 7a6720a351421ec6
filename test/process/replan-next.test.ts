/**
 * New requirements of an active run, over published servers: PML finds tools by the words of the
 * requirement and by what usually follows the run's calls.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Answer {
  readonly run: string;
  readonly status: string;
  readonly tasks: Record<string, { readonly status: string; readonly result?: unknown }>;
  readonly found?: readonly {
    readonly task: string;
    readonly tool: string;
    readonly score: number;
    readonly args: Json;
  }[];
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const published = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

let workspace: Workspace;
let client: Awaited<ReturnType<typeof connectSdk>>;
let folder: string;

const file = (name: string) => join(folder, name);
const call = async (tool: string, args: Json): Promise<Answer> => {
  const { structuredContent } = await client.callTool({ name: tool, arguments: args });
  return structuredContent as unknown as Answer;
};

/** A run that has read who it is about and waits for its agent's next requirement. */
async function begun(intent: string): Promise<Answer> {
  const tasks = [
    { id: 'read', tool: 'files:read_text_file', args: { path: file('who.txt') } },
    {
      id: 'hold',
      tool: 'files:create_directory',
      args: { path: file('needs_approval') },
      needs: ['read'],
    },
  ];
  const answer = await call('pml_execute_workflow', { intent, tasks, approve: 'per_layer' });
  expect(answer).toMatchObject({ status: 'needs_approval', tasks: { read: {} } });
  return answer;
}

/** The run after its agent approved everything that it asked. */
async function approved(run: string): Promise<Answer> {
  let answer = await call('pml_continue', { run, decision: 'approve' });
  while (answer.status === 'needs_approval') {
    answer = await call('pml_continue', { run, decision: 'approve' });
  }
  return answer;
}

const replan = (run: string, requirement: string) =>
  client.callTool({
    name: 'pml_continue',
    arguments: { run, decision: 'replan', requirement },
  });

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  folder = join(workspace.path, 'data');
  mkdirSync(folder);
  writeFileSync(file('who.txt'), 'Alice Moss');
  const memoryFile = join(folder, 'memory.jsonl');
  const observations = ['4 Mill Lane'];
  writeFileSync(
    memoryFile,
    JSON.stringify({ type: 'entity', name: 'Alice Moss', entityType: 'customer', observations }),
  );
  workspace.configure({
    permissions: { allow: ['*'], deny: ['memory:delete_*'] },
    mcpServers: {
      files: published('filesystem', folder),
      memory: { ...published('memory'), env: { MEMORY_FILE_PATH: memoryFile } },
    },
  });
  client = await connectSdk(workspace);
});

afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

describe('a new requirement of a run', () => {
  test('past runs teach PML which tool usually follows', async () => {
    for (const tool of ['memory:search_nodes', 'files:write_file']) {
      await expect
        .poll(
          async () =>
            resultText(
              await client.callTool({ name: 'pml_discover', arguments: { intent: tool } }),
            ),
          { timeout: 90_000 },
        )
        .toContain(tool);
    }
    // Teach the usual next step: a look-up of the name that was read.
    for (const count of [1, 2, 3]) {
      const done = await call('pml_execute_workflow', {
        intent: `Read who it is about, then search the nodes of the graph for them, time ${count}`,
        tasks: [
          { id: 'read', tool: 'files:read_text_file', args: { path: file('who.txt') } },
          { id: 'look', tool: 'memory:search_nodes', args: { query: '${read.content}' } },
        ],
      });
      expect(done).toMatchObject({ status: 'completed' });
    }
    await expect
      .poll(async () => (await workspace.status()).search, { timeout: 90_000 })
      .toMatchObject({ remembered: 3 });
  });

  test('new requirement gets the usual next tool with values of the run and a likelihood', async () => {
    const { run } = await begun('Read who it is about');

    const answer = await replan(run, 'search the nodes of the graph for them');
    const { found } = answer.structuredContent as unknown as Answer;

    expect(found?.[0]).toMatchObject({
      tool: 'memory:search_nodes',
      args: { query: { $ref: 'read.content' } },
    });
    expect(found?.[0]?.score).toBeGreaterThanOrEqual(0.5);
    expect(found?.[0]?.score).toBeLessThanOrEqual(1);
    const scores = found?.map(({ score }) => score) ?? [];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(JSON.stringify(await approved(run))).toContain('4 Mill Lane');
    const explained = await workspace.run('explain', run);
    expect(explained.stdout).toMatch(
      /the next step for "Read who it is about\. search the nodes.*memory:search_nodes at place 1 of memory:search_nodes/,
    );
    expect(explained.stdout).toContain('Likely next steps');
  });

  test('new requirement supplies literals from its own words', async () => {
    const { run } = await begun('Read who it is about');

    const answer = await replan(run, `write file "hello" to the path ${file('out.txt')}`);
    const { found } = answer.structuredContent as unknown as Answer;

    expect(found).toMatchObject([
      { tool: 'files:write_file', args: { path: file('out.txt'), content: 'hello' } },
    ]);
    expect(await approved(run)).toMatchObject({ status: 'completed' });
    expect(readFileSync(file('out.txt'), 'utf8')).toBe('hello');
  });

  test.each([
    ['no tool does', 'brew a strong coffee with oat milk'],
    ['only a denied tool does', 'delete entities of the graph by their names'],
  ])(
    'requirement that %s changes nothing and names no tool that may not be called',
    async (_, requirement) => {
      const { run } = await begun('Read who it is about');

      const answer = await replan(run, requirement);

      expect(answer.isError).toBe(true);
      expect(resultText(answer)).toContain('Nothing was changed');
      expect(resultText(answer)).not.toContain('memory:delete_');
      const { tasks } = await call('pml_continue', { run, decision: 'wait', answer_within_ms: 0 });
      expect(Object.keys(tasks)).toEqual(['read', 'hold']);
    },
  );
});
