import { expect, test } from 'vitest';

import type { ToolId } from '../core/index.js';
import { permissionRules } from './permission.js';

const of = permissionRules({ allow: ['files:*'], ask: ['*:write*'], deny: ['*:write_secret'] });

test.each([
  ['files:read', 'allow'],
  ['git:log', 'allow'],
  ['git:write_tag', 'ask'],
  // The stricter rule wins: a wide allow must not silence a question the user asked for.
  ['files:write', 'ask'],
  ['files:write_secret', 'deny'],
])('%s: %s', (tool, permission) => {
  expect(of(tool as ToolId)).toBe(permission);
});
