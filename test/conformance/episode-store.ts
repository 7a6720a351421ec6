import { describe, expect, test } from 'vitest';

import type { Episode, EpisodeStore, StoredThreshold, ToolId } from '../../src/core/index.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute, 0, 123));

export function anEpisode(id: string, overrides: Partial<Episode> = {}): Episode {
  return {
    id,
    at: at(0),
    rung: 'speculate',
    client: 'claude-code',
    intent: 'read the report',
    last: ['files:list', 'files:stat'] as ToolId[],
    predicted: 'files:read' as ToolId,
    confidence: 0.93,
    threshold: 0.92,
    wasDone: true,
    outcome: 'exact',
    savedMs: 120.5,
    wastedMs: 0,
    ...overrides,
  };
}

const threshold = (changes: Partial<StoredThreshold> = {}): StoredThreshold => ({
  rung: 'speculate',
  kind: 'list',
  value: 0.9,
  isOff: false,
  why: 'lowered',
  at: at(1),
  ...changes,
});

/** What every `EpisodeStore` must do. The store is empty at first. */
export function describeEpisodeStore(engine: string, open: () => EpisodeStore): void {
  const ids = async (limit = 100) => (await open().load({ limit })).map(({ id }) => id);

  describe(`EpisodeStore on ${engine}`, () => {
    test('an empty store has no episodes and no thresholds', async () => {
      expect(await ids()).toEqual([]);
      expect(await open().thresholds()).toEqual([]);
      expect(await open().forget()).toBe(0);
      expect(await open().forgetThresholds()).toBe(0);
    });

    test('episodes come back as they were added, oldest first, once each', async () => {
      const plain = anEpisode('plain');
      const odd = anEpisode('odd', {
        at: at(1),
        rung: 'offer',
        intent: 'Größe 🐘 "x"\n',
        last: [],
        claimed: 0.4,
        wasDone: false,
        outcome: 'other',
        actual: 'files:write' as ToolId,
        savedMs: 0,
        wastedMs: 3,
      });

      await open().add([odd, plain]);
      await open().add([anEpisode('plain', { outcome: 'expired' })]);
      await open().add([]);

      expect(await open().load({ limit: 10 })).toStrictEqual([plain, odd]);
      expect(await ids(1)).toEqual(['odd']);
    });

    test('characters that no database stores are replaced', async () => {
      await open().add([anEpisode('nul', { at: at(2), intent: 'a\0b', client: '\ud800' })]);

      expect((await open().load({ limit: 1 }))[0]).toMatchObject({ intent: 'a\uFFFDb' });
    });

    test('pruning keeps the newest', async () => {
      const many = Array.from({ length: 700 }, (_, place) =>
        anEpisode(`m${String(place).padStart(3, '0')}`, { at: new Date(at(10).getTime() + place) }),
      );
      await open().add(many);

      await open().prune({ keep: 3 });

      expect(await ids()).toEqual(['m697', 'm698', 'm699']);
    });

    test('a threshold replaces the one of its rung and kind', async () => {
      const other = threshold({ rung: 'warm', value: 0.7 });
      await open().saveThresholds([threshold(), other]);

      const off = threshold({ value: 0.95, isOff: true, why: 'does not pay', at: at(3) });
      await open().saveThresholds([off]);

      expect(await open().thresholds()).toStrictEqual([off, other]);
    });

    test('forgetting removes episodes and thresholds each by itself, and says how many', async () => {
      expect(await open().forget()).toBe(3);
      expect(await ids()).toEqual([]);
      expect(await open().thresholds()).toHaveLength(2);
      expect(await open().forgetThresholds()).toBe(2);
      expect(await open().thresholds()).toEqual([]);
    });
  });
}
