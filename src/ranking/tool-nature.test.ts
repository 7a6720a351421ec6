import { expect, test } from 'vitest';

import { catalogTool } from '../../test/helpers/catalog-tool.js';
import { natureOf } from './tool-nature.js';

test.each([
  ['files:read_file', undefined, 0],
  ['files:write_file', undefined, 1],
  ['files:delete_file', undefined, 1.5],
  ['crm:close', { destructiveHint: true }, 1.5],
  ['crm:look', { readOnlyHint: false }, 1],
  ['crm:look', { readOnlyHint: true, destructiveHint: true }, 0],
  ['crm:delete_all', { readOnlyHint: true }, 1.5],
])('%s with the hints %j changes %d', (id, annotations, changes) => {
  const tool = catalogTool(id);
  const definition = { ...tool.definition, ...(annotations && { annotations }) };

  expect(natureOf({ ...tool, definition }).changes).toBe(changes);
});

test('a tool is deprecated when its description begins by saying so', () => {
  const deprecated = catalogTool('a:b', 'Reads a file. DEPRECATED: use read_text_file instead.');
  const other = catalogTool('a:c', `Reads a file. ${'More of it. '.repeat(30)}x is deprecated.`);

  expect(natureOf(deprecated).isDeprecated).toBe(true);
  expect(natureOf(other).isDeprecated).toBe(false);
});
