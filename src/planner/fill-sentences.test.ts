/**
 * Requests for several steps, over tools as published servers for files, git, SQLite and web pages have
 * them: each literal goes to the step it was said for.
 */
import { describe, expect, test } from 'vitest';

import { type JsonObject, parseToolId, type Task, taskId } from '../core/index.js';
import { fillPlan } from './arguments/fill-plan.js';
import { BindingMemory } from './flow/binding-memory.js';
import type { PlannableTool } from './plannable-tool.js';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const repo = { repo_path: { ...text, description: 'Path to the repository' } };

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'fs:read_text_file': object({ path: text, head: whole, tail: whole }, ['path']),
  'fs:read_multiple_files': object({ paths: { type: 'array', items: text } }),
  'fs:write_file': object({ path: text, content: text }),
  'fs:edit_file': object({
    path: text,
    edits: {
      type: 'array',
      items: object({
        oldText: { ...text, description: 'Text to search for' },
        newText: { ...text, description: 'Text to replace it with' },
      }),
    },
  }),
  'fs:list_directory': object({ path: text }),
  'fs:create_directory': object({ path: text }),
  'fs:get_file_info': object({ path: text }),
  'fs:search_files': object({ path: text, pattern: text }),
  'fs:move_file': object({ source: text, destination: text }),
  'git:git_status': object(repo),
  'git:git_diff': object({ ...repo, target: text }),
  'git:git_add': object({ ...repo, files: { type: 'array', items: text } }),
  'git:git_commit': object({ ...repo, message: text }),
  'git:git_log': object({ ...repo, max_count: whole }, ['repo_path']),
  'git:git_create_branch': object({ ...repo, branch_name: text }),
  'git:git_checkout': object({ ...repo, branch_name: text }),
  'sqlite:read_query': object({ query: { ...text, description: 'SELECT SQL query to execute' } }),
  'sqlite:write_query': object({ query: { ...text, description: 'SQL query to execute' } }),
  'sqlite:list_tables': object({}),
  'sqlite:describe_table': object({ table_name: text }),
  'web:fetch': object({ url: { ...text, format: 'uri' }, max_length: whole }, ['url']),
};
const TOOLS = new Map(
  Object.entries(SCHEMAS).map(([id, inputSchema]): [PlannableTool['id'], PlannableTool] => [
    parseToolId(id).id,
    { id: parseToolId(id).id, inputSchema },
  ]),
);

type Expected = readonly (readonly [tool: string, args: JsonObject])[];

/** What of the arguments of each step the request says. */
const SENTENCES: Readonly<Record<string, Expected>> = {
  'Read /data/a.txt and write a summary to /out/summary.md': [
    ['fs:read_text_file', { path: '/data/a.txt' }],
    ['fs:write_file', { path: '/out/summary.md' }],
  ],
  'read the file "notes/today.md" and show it': [['fs:read_text_file', { path: 'notes/today.md' }]],
  'list the directory "notes" and read the file "notes/today.md"': [
    ['fs:list_directory', { path: 'notes' }],
    ['fs:read_text_file', { path: 'notes/today.md' }],
  ],
  'Create the folder "archive"': [['fs:create_directory', { path: 'archive' }]],
  'Move "a.txt" to "b.txt"': [['fs:move_file', { source: 'a.txt', destination: 'b.txt' }]],
  'Copy the text of /data/a.txt into /out/b.txt': [
    ['fs:read_text_file', { path: '/data/a.txt' }],
    ['fs:write_file', { path: '/out/b.txt' }],
  ],
  'Write to /out/report.md what /data/sales.csv says': [
    ['fs:read_text_file', { path: '/data/sales.csv' }],
    ['fs:write_file', { path: '/out/report.md' }],
  ],
  'Save the content of https://example.com/x to /tmp/page.html': [
    ['web:fetch', { url: 'https://example.com/x' }],
    ['fs:write_file', { path: '/tmp/page.html' }],
  ],
  'Fetch https://example.com/a, then read /notes/todo.md and put both into /out/all.md': [
    ['web:fetch', { url: 'https://example.com/a' }],
    ['fs:read_text_file', { path: '/notes/todo.md' }],
    ['fs:write_file', { path: '/out/all.md' }],
  ],
  'List the folder /data and read /data/readme.md': [
    ['fs:list_directory', { path: '/data' }],
    ['fs:read_text_file', { path: '/data/readme.md' }],
  ],
  'Search /src for "*.test.ts" and save the list to /out/tests.txt': [
    ['fs:search_files', { path: '/src', pattern: '*.test.ts' }],
    ['fs:write_file', { path: '/out/tests.txt' }],
  ],
  'Read /etc/app.conf, replace the port and write it back': [
    ['fs:read_text_file', { path: '/etc/app.conf' }],
    ['fs:write_file', { path: '/etc/app.conf' }],
  ],
  'In the repository /code/app add src/a.ts and commit with the message "fix: crash"': [
    ['git:git_add', { repo_path: '/code/app', files: ['src/a.ts'] }],
    ['git:git_commit', { repo_path: '/code/app', message: 'fix: crash' }],
  ],
  'Show the status and the diff of the repository /code/app': [
    ['git:git_status', { repo_path: '/code/app' }],
    ['git:git_diff', { repo_path: '/code/app' }],
  ],
  'Create the branch "feature/login" in /code/app and check it out': [
    ['git:git_create_branch', { repo_path: '/code/app', branch_name: 'feature/login' }],
    ['git:git_checkout', { repo_path: '/code/app', branch_name: 'feature/login' }],
  ],
  'Run `select * from users` and write the rows to /out/users.json': [
    ['sqlite:read_query', { query: 'select * from users' }],
    ['fs:write_file', { path: '/out/users.json' }],
  ],
  'Describe the table "orders" and then run `select count(*) from orders`': [
    ['sqlite:describe_table', { table_name: 'orders' }],
    ['sqlite:read_query', { query: 'select count(*) from orders' }],
  ],
  'Create the folder /out/2026 and move /in/a.pdf to /out/2026/a.pdf': [
    ['fs:create_directory', { path: '/out/2026' }],
    ['fs:move_file', { source: '/in/a.pdf', destination: '/out/2026/a.pdf' }],
  ],
  'Move /in/a.pdf to /archive/a.pdf, then list /archive': [
    ['fs:move_file', { source: '/in/a.pdf', destination: '/archive/a.pdf' }],
    ['fs:list_directory', { path: '/archive' }],
  ],
  'Compare https://a.example/x with https://b.example/y': [
    ['web:fetch', { url: 'https://a.example/x' }],
    ['web:fetch', { url: 'https://b.example/y' }],
  ],
  'How big is /data/big.bin? Also read the first 10 lines of /data/small.txt': [
    ['fs:get_file_info', { path: '/data/big.bin' }],
    ['fs:read_text_file', { path: '/data/small.txt' }],
  ],
  'Fetch https://api.example.com/items and write "done" to /out/flag.txt': [
    ['web:fetch', { url: 'https://api.example.com/items' }],
    ['fs:write_file', { path: '/out/flag.txt', content: 'done' }],
  ],
  'Write "hello" to /a.txt and "bye" to /b.txt': [
    ['fs:write_file', { path: '/a.txt', content: 'hello' }],
    ['fs:write_file', { path: '/b.txt', content: 'bye' }],
  ],
  'Check the status of /code/app, commit everything as "wip" and list /code/app': [
    ['git:git_status', { repo_path: '/code/app' }],
    ['git:git_commit', { repo_path: '/code/app', message: 'wip' }],
    ['fs:list_directory', { path: '/code/app' }],
  ],
  'Read the log /var/log/app.log, find the failing url and fetch it': [
    ['fs:read_text_file', { path: '/var/log/app.log' }],
    ['web:fetch', {}],
  ],
  'Summarize https://example.com/post into /notes/post.md and commit it in /work/notes with "add post"':
    [
      ['web:fetch', { url: 'https://example.com/post' }],
      ['fs:write_file', { path: '/notes/post.md' }],
      ['git:git_commit', { repo_path: '/work/notes', message: 'add post' }],
    ],
  'Insert a row with `insert into logs values (1)` and then show `select * from logs`': [
    ['sqlite:write_query', { query: 'insert into logs values (1)' }],
    ['sqlite:read_query', { query: 'select * from logs' }],
  ],
  'Read /a/x.txt and /b/y.txt': [['fs:read_multiple_files', { paths: ['/a/x.txt', '/b/y.txt'] }]],
  'Only read /a/x.txt; the result goes to /b/y.txt': [
    ['fs:read_text_file', { path: '/a/x.txt' }],
    ['fs:write_file', { path: '/b/y.txt' }],
  ],
  'Take /data/in.json and store the sorted version as /data/out.json': [
    ['fs:read_text_file', { path: '/data/in.json' }],
    ['fs:write_file', { path: '/data/out.json' }],
  ],
  'Look into /logs for "error*.log", read the newest and save the errors to /out/errors.txt': [
    ['fs:search_files', { path: '/logs', pattern: 'error*.log' }],
    ['fs:read_text_file', {}],
    ['fs:write_file', { path: '/out/errors.txt' }],
  ],
  'Show the last 5 commits of /code/app and save them to /out/log.txt': [
    ['git:git_log', { repo_path: '/code/app' }],
    ['fs:write_file', { path: '/out/log.txt' }],
  ],
  'List the tables, describe the largest and save its columns to /out/cols.md': [
    ['sqlite:list_tables', {}],
    ['sqlite:describe_table', {}],
    ['fs:write_file', { path: '/out/cols.md' }],
  ],
  'Download https://example.com/data.csv to /data/data.csv, then list /data': [
    ['web:fetch', { url: 'https://example.com/data.csv' }],
    ['fs:write_file', { path: '/data/data.csv' }],
    ['fs:list_directory', { path: '/data' }],
  ],
  'Read the title in /a/x.md and edit /b/index.md to list it': [
    ['fs:read_text_file', { path: '/a/x.md' }],
    ['fs:edit_file', { path: '/b/index.md' }],
  ],
  'Fix the typo in /docs/guide.md: read it and replace "teh" with "the"': [
    ['fs:read_text_file', { path: '/docs/guide.md' }],
    ['fs:edit_file', { path: '/docs/guide.md', edits: [{ oldText: 'teh', newText: 'the' }] }],
  ],
  'Find the order file "tea-*.txt", read who ordered and write the address to /labels/tea.txt': [
    ['fs:search_files', { pattern: 'tea-*.txt' }],
    ['fs:read_text_file', {}],
    ['fs:write_file', { path: '/labels/tea.txt' }],
  ],
};

function fill(intent: string, steps: Expected) {
  const tasks = steps.map(([tool], place): Task => ({
    id: taskId(`t${place}`),
    tool: parseToolId(tool).id,
    args: {},
    needs: [],
  }));
  const { plan } = fillPlan(
    { tasks, open: new Set() },
    { intent, tools: TOOLS, memory: new BindingMemory() },
  );
  return plan.tasks.map(({ tool, args }) => [tool, args]);
}

describe('every literal goes to the step it was said for', () => {
  test.each(Object.entries(SENTENCES))('%s', (intent, steps) => {
    expect(fill(intent, steps)).toEqual(steps);
  });
});
