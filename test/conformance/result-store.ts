import { randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { ResultStore, StoredResult } from '../../src/core/index.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute, 0, 123));
const EVERYTHING = Number.MAX_SAFE_INTEGER;

function aResult(handle: string, overrides: Partial<StoredResult> = {}): StoredResult {
  return {
    handle,
    text: `the text of ${handle}`,
    mimeType: 'text/plain',
    createdAt: at(0),
    expiresAt: at(30),
    ...overrides,
  };
}

/** Text that hardly compresses. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);

/** What every `ResultStore` must do. The store is empty at first. */
export function describeResultStore(engine: string, open: () => ResultStore): void {
  const load = (handle: string, minute = 1) => open().load(handle, at(minute));
  const prune = (minute: number, maxBytes = EVERYTHING, forgetBefore = at(-60)) =>
    open().prune({ now: at(minute), maxBytes, forgetBefore });

  describe(`ResultStore on ${engine}`, () => {
    test('result store returns "unknown" for a handle that it never gave', async () => {
      await prune(0);

      expect(await load('r_nobody')).toEqual({ status: 'unknown' });
      expect(await load('r_\0\ud800')).toEqual({ status: 'unknown' });
    });

    test('result store returns a result as saved, whatever characters it holds', async () => {
      const odd = aResult('r_odd', { text: 'nul \0, 🐘, Größe\n', mimeType: 'application/json' });

      await open().save(odd);

      expect(await load('r_odd')).toEqual({
        status: 'kept',
        text: odd.text,
        mimeType: odd.mimeType,
        expiresAt: odd.expiresAt,
      });
    });

    test('result store accepts an empty text, and ten megabytes that do not compress', async () => {
      const huge = noise(10_000_000);
      await open().save(aResult('r_empty', { text: '' }));
      const bytes = await open().save(aResult('r_huge', { text: huge }));

      const found = await load('r_huge');

      expect(await load('r_empty')).toMatchObject({ status: 'kept', text: '' });
      expect(found.status === 'kept' && found.text === huge).toBe(true);
      expect(bytes).toBeGreaterThan(1_000_000);
    });

    test('result store does not overwrite a result that it has', async () => {
      await open().save(aResult('r_twice'));

      await open().save(aResult('r_twice', { text: 'another' }));

      expect(await load('r_twice')).toMatchObject({ text: 'the text of r_twice' });
    });

    test('result store saves several results at once', async () => {
      const handles = ['r_a', 'r_b', 'r_c'];

      await Promise.all([...handles, ...handles].map((handle) => open().save(aResult(handle))));

      const found = await Promise.all(handles.map((handle) => load(handle)));
      expect(found.map(({ status }) => status)).toEqual(['kept', 'kept', 'kept']);
    });

    test('result store reports an expired result as expired until it forgets it', async () => {
      const expiresAt = at(10);
      const gone = { status: 'expired', expiresAt };
      await open().save(aResult('r_short', { expiresAt }));

      expect(await load('r_short', 9)).toMatchObject({ status: 'kept' });
      expect(await load('r_short', 10)).toEqual(gone);
      await prune(11);
      expect(await load('r_short', 11)).toEqual(gone);
      expect(await load('r_twice', 11)).toMatchObject({ status: 'kept' });
      await prune(12, EVERYTHING, at(10));
      expect(await load('r_short', 12)).toEqual({ status: 'unknown' });
    });

    test('result store makes room by dropping the oldest result, and reports it as dropped', async () => {
      await prune(31);
      const expiresAt = at(59);
      const sizes: number[] = [];
      for (const minute of [41, 42, 43]) {
        const text = noise(20_000);
        const result = aResult(`r_${minute}`, { text, createdAt: at(minute), expiresAt });
        sizes.push(await open().save(result));
      }

      await prune(44, sizes[1]! + sizes[2]!);

      expect(await load('r_41', 44)).toEqual({ status: 'dropped' });
      expect(await load('r_42', 44)).toMatchObject({ status: 'kept' });
      expect(await load('r_43', 44)).toMatchObject({ status: 'kept' });
    });

    test('result store does not restore a dropped result', async () => {
      await open().save(aResult('r_41'));

      expect(await load('r_41', 44)).toEqual({ status: 'dropped' });
    });
  });
}
