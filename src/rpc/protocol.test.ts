import * as sdk from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';

import * as protocol from './protocol.js';

test('protocol names revisions and reserved keys exactly as the SDK does', () => {
  const { MODERN_VERSION: _modern, ...shared } = protocol;

  expect({ ...sdk }).toMatchObject(shared);
  expect(Object.keys(shared).length).toBeGreaterThan(7);
});
