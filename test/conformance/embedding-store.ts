import { describe, expect, test } from 'vitest';

import type { EmbeddingStore } from '../../src/core/index.js';
import { aVector } from '../fixtures/store/vectors.js';

/** What every `EmbeddingStore` must do. Each test uses its own spaces, so they share one store. */
export function describeEmbeddingStore(engine: string, open: () => EmbeddingStore): void {
  describe(`EmbeddingStore on ${engine}`, () => {
    test('embedding store returns the vectors it has, bit by bit', async () => {
      const space = { id: 'exact/1', dimension: 384 };
      const odd = new Float32Array(384)
        .fill(1e-42)
        .fill(-3.4e38, 5, 9)
        .fill(1 / 3, 9);
      const vectors = new Map([
        ['a', aVector(384, 1)],
        ['odd', odd],
        ['nothing', new Float32Array(384)],
      ]);

      await open().save(space, vectors);

      expect(await open().load(space, ['odd', 'missing', 'a', 'a', 'nothing'])).toEqual(vectors);
      expect(await open().load(space, [])).toEqual(new Map());
      expect(await open().load({ ...space, dimension: 3 }, ['a']), 'of another model').toEqual(
        new Map(),
      );
      expect(await open().spaces()).toContainEqual({ ...space, vectors: 3 });
    });

    test('embedding store accepts thousands of vectors at once, and the last save of a hash wins', async () => {
      const space = { id: 'many/1', dimension: 64 };
      const vectors = new Map(
        Array.from({ length: 3_000 }, (_, index) => [`hash-${index}`, aVector(64, index)]),
      );
      await open().save(space, new Map([['hash-7', aVector(64, 9_999)]]));

      await open().save(space, vectors);

      const loaded = await open().load(space, [...vectors.keys()]);
      expect(loaded.size).toBe(3_000);
      expect(loaded.get('hash-7')).toEqual(vectors.get('hash-7'));
      expect(loaded.get('hash-2999')).toEqual(vectors.get('hash-2999'));
    });

    test('embedding store refuses a vector of another dimension, and then writes nothing', async () => {
      const space = { id: 'refused/1', dimension: 4 };
      const mixed = new Map([
        ['good', aVector(4, 1)],
        ['bad', aVector(5, 1)],
      ]);

      await expect(open().save(space, mixed)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('has 4 numbers, this one has 5'),
      });
      await expect(
        open().save(space, new Map([['nan', new Float32Array(4).fill(Number.NaN)]])),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST' });

      expect((await open().spaces()).map(({ id }) => id)).not.toContain(space.id);
    });

    test('embedding store refuses to change the dimension of a space', async () => {
      await open().save({ id: 'grown/1', dimension: 4 }, new Map([['a', aVector(4, 1)]]));

      const saving = open().save({ id: 'grown/1', dimension: 5 }, new Map([['b', aVector(5, 1)]]));

      await expect(saving).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('have 4 numbers, these have 5'),
      });
      expect(await open().spaces()).toContainEqual({ id: 'grown/1', dimension: 4, vectors: 1 });
    });

    test('embedding store removes single vectors of a space and leaves the others alone', async () => {
      const [own, other] = ['fewer/1', 'fewer/2'].map((id) => ({ id, dimension: 4 }));
      const vectors = new Map(['a', 'b', 'c'].map((hash, place) => [hash, aVector(4, place + 1)]));
      for (const space of [own!, other!]) await open().save(space, vectors);

      await open().remove(own!, ['a', 'c', 'never there']);
      await open().remove(own!, []);

      expect([...(await open().load(own!, ['a', 'b', 'c'])).keys()]).toEqual(['b']);
      expect((await open().load(other!, ['a', 'b', 'c'])).size).toBe(3);
    });

    test('embedding store removes a space and leaves the others alone', async () => {
      const [gone, kept] = ['gone/1', 'kept/1'].map((id) => ({ id, dimension: 4 }));
      for (const space of [gone!, kept!]) await open().save(space, new Map([['a', aVector(4, 1)]]));

      await open().removeSpace('gone/1');
      await open().removeSpace('never there');

      expect(await open().load(gone!, ['a'])).toEqual(new Map());
      expect(await open().load(kept!, ['a'])).toEqual(new Map([['a', aVector(4, 1)]]));
    });

    test('embedding store keeps names and hashes with quotes, and those that PostgreSQL refuses', async () => {
      const space = { id: `o'dd \0 \ud800`, dimension: 4 };
      const vectors = new Map([[`ha'sh\0`, aVector(4, 1)]]);

      await open().save(space, vectors);

      expect(await open().load(space, [`ha'sh\0`])).toEqual(vectors);
      await open().removeSpace(space.id);
    });
  });
}
