import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { packDirectory, unpackInto } from './tar.js';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function packed(directory: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of packDirectory(directory, { skip: ['skipped'] })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test.each([7, 512, 100_000])(
  'tar archive restores every file and folder in chunks of %i bytes',
  async (size) => {
    await using folder = await temporaryFolder();
    const [from, to] = [join(folder.path, 'from'), join(folder.path, 'to')];
    await mkdir(join(from, 'base/empty'), { recursive: true });
    const sizes = [0, 1, 511, 512, 513, 70_000];
    for (const length of sizes)
      await writeFile(join(from, `base/${length}`), Buffer.alloc(length, length));
    await writeFile(join(from, 'skipped'), 'x');

    await unpackInto(to, inPieces(await packed(from), size));

    expect((await readdir(to, { recursive: true })).toSorted()).toEqual(
      (await readdir(from, { recursive: true })).filter((name) => name !== 'skipped').toSorted(),
    );
    for (const length of sizes) {
      expect(await readFile(join(to, `base/${length}`))).toEqual(Buffer.alloc(length, length));
      expect((await stat(join(to, `base/${length}`))).mode & 0o777).toBe(0o600);
    }
  },
);

test('tar archive that is truncated, has a damaged header or leads outside is refused', async () => {
  await using folder = await temporaryFolder();
  const from = join(folder.path, 'from');
  await mkdir(from);
  await writeFile(join(from, 'file'), 'text');
  const archive = await packed(from);
  const damaged = Buffer.from(archive).fill('x', 0, 1);
  const outside = renamed(archive, '../file');
  const unpack = (bytes: Buffer, to: string) =>
    unpackInto(join(folder.path, to), inPieces(bytes, 512));

  await expect(unpack(archive.subarray(0, 600), 'early')).rejects.toThrow('ends too early');
  await expect(unpack(damaged, 'damaged')).rejects.toThrow('bad header checksum');
  await expect(unpack(outside, 'outside')).rejects.toThrow('leads outside');
});

/** The same archive with another first name and a matching checksum. */
function renamed(archive: Buffer, name: string): Buffer {
  const copy = Buffer.from(archive).fill(0, 0, 100);
  copy.write(name, 0);
  copy.fill(' ', 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return copy;
}
