import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { kindOfTool } from './tool-kind.js';

test.each([
  ['files:list_directory', 'list'],
  ['files:read_text_file', 'read'],
  ['google-cloud:bigquery_run_query', 'search'],
  ['canvas:canvas_get_course', 'read'],
  ['web:searchPages', 'search'],
  ['terminal:run_command', 'other'],
  ['cap:weekly', 'other'],
])('%s is of kind %s', (tool, kind) => {
  expect(kindOfTool(tool as ToolId)).toBe(kind);
});
