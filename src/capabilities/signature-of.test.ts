import { expect, test } from 'vitest';

import { aCapability, aVersion } from '../../test/helpers/capability-samples.js';
import type { JsonObject } from '../core/index.js';
import { signatureOf } from './signature-of.js';

const signature = (parameters: JsonObject) =>
  signatureOf(aCapability('backUp', { current: aVersion({ parameters }) }));
const withFields = (properties: JsonObject, required: readonly string[] = []) =>
  signature({ type: 'object', properties, required });

test('signatureOf writes a capability as one line of TypeScript', () => {
  expect(withFields({ path: { type: 'string', default: '/' } })).toBe(
    'cap.backUp(args?: { path?: string }): Promise<unknown>',
  );
  expect(withFields({ path: { type: 'string' }, n: { type: 'integer' } }, ['path'])).toBe(
    'cap.backUp(args: { path: string; n?: number }): Promise<unknown>',
  );
  expect(signature({})).toBe('cap.backUp(): Promise<unknown>');
});

test('signatureOf writes lists, objects, values and odd names', () => {
  const fields = {
    'odd name': { type: ['string', 'null'] },
    list: { type: 'array', items: { type: 'string' } },
    either: { type: 'array', items: { enum: ['a', 1] } },
    nested: { type: 'object', properties: { deep: { type: 'boolean' } } },
    any: {},
  };

  expect(withFields(fields)).toBe(
    'cap.backUp(args?: { "odd name"?: string | null; list?: string[]; either?: ("a" | 1)[]; ' +
      'nested?: { deep?: boolean }; any?: unknown }): Promise<unknown>',
  );
});
