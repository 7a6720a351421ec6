import { describe, expect, test } from 'vitest';

import { maskForms, type ToolId } from '../../core/index.js';
import { type AheadTool, refuseAhead } from './guard.js';

const TOOL = 'notes:get_note' as ToolId;
const READING: AheadTool = {
  status: 'active',
  hash: 'h',
  annotations: { readOnlyHint: true, openWorldHint: false },
  admission: { isReading: true },
  isolation: 'shared',
  isRunning: true,
  instance: {},
};
const RULES = { allow: [], deny: [], mask: maskForms };

const refusal = (changes: Partial<AheadTool>, rules: Partial<typeof RULES> = {}) =>
  refuseAhead(TOOL, { id: 1 }, { ...READING, ...changes }, { ...RULES, ...rules });

// covers: AHEAD-GUARD
describe('what PML may call by itself', () => {
  test('a reading tool of a closed world may be called ahead', () => {
    expect(refusal({})).toBeUndefined();
  });

  test.each<[string, Partial<AheadTool>]>([
    ['may write', { admission: { isReading: false } }],
    ['is denied', { admission: { isReading: true, denied: 'no' } }],
    ['needs an approval', { admission: { isReading: true, ask: {} } }],
    ['is open world', { annotations: { readOnlyHint: true, openWorldHint: true } }],
    ['says nothing of its world', { annotations: { readOnlyHint: true } }],
    ['is blocked', { status: 'blocked' }],
    ['is gone', { status: 'gone' }],
    ['has a server per client', { isolation: 'per-client' }],
    ['has a server that does not run', { isRunning: false }],
  ])('a tool that %s is never called ahead', (_why, changes) => {
    expect(refusal(changes)).toBeTypeOf('string');
  });

  test('speculation.allow stands for a closed world, and not for reading', () => {
    const allow = { allow: ['notes:*'] as never[] };

    expect(refusal({ annotations: {} }, allow)).toBeUndefined();
    expect(refusal({ admission: { isReading: false } }, allow)).toBeTypeOf('string');
  });

  test('speculation.deny wins over allow, by server and by tool', () => {
    const allow = ['notes:*'] as never[];

    expect(refusal({}, { allow, deny: ['notes'] as never[] })).toBeTypeOf('string');
    expect(refusal({}, { allow, deny: ['notes:get_*'] as never[] })).toBeTypeOf('string');
  });

  test.each([
    [{ password: 'x' }],
    [{ deep: [{ api_key: 'k' }] }],
    [{ text: 'Authorization: Bearer abc123def456' }],
    [{ url: 'https://user:hunter22@host/' }],
  ])('arguments with a secret are never sent ahead: %j', (args) => {
    expect(refuseAhead(TOOL, args, READING, RULES)).toMatch(/secret/);
  });

  test('capabilities and tools of PML itself are never called ahead', () => {
    expect(refuseAhead('cap:report' as ToolId, {}, READING, RULES)).toBeTypeOf('string');
    expect(refuseAhead('pml:read_result' as ToolId, {}, READING, RULES)).toBeTypeOf('string');
  });

  test('a tool that the catalog does not know is never called ahead', () => {
    expect(refuseAhead(TOOL, {}, undefined, RULES)).toBeTypeOf('string');
  });
});
