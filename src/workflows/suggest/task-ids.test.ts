import { expect, test } from 'vitest';

import { parseToolId, taskId } from '../../core/index.js';
import { freeId, idsFor, nameOfTool } from './task-ids.js';

test('a task is named after its tool, with letters that an id may have', () => {
  const nameOf = (tool: string) => nameOfTool(parseToolId(tool).id);

  expect(nameOf('files:read/text-file')).toBe('read_text_file');
  expect(nameOf(`files:${'long'.repeat(20)}`)).toHaveLength(40);
});

test('an id that another task has gets the next free number', () => {
  const taken = ['read', 'read_2'].map(taskId);

  expect(freeId('read', taken)).toBe('read_3');
  expect(freeId('write', taken)).toBe('write');
});

test('tools with the same name get different ids, and a repeated tool gets one id', () => {
  const tools = ['a:read', 'b:read', 'a:read'].map((tool) => parseToolId(tool).id);

  expect([...idsFor(tools).values()]).toEqual(['read', 'read_2']);
});
