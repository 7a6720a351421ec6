import type { ChildProcess } from 'node:child_process';

import { afterAll, describe, expect, test } from 'vitest';

import { silentLogger } from '../core/index.js';
import { createEmbedder } from './create-embedder.js';
import { builtInModel } from './find-model.js';
import type { RuntimeChoice } from './onnx-runtime.js';
import { ProcessEmbedder } from './process-embedder.js';
import { startModelProcess } from './start-model-process.js';

const TEXTS = [
  'send an email',
  'email: deliver a message to a recipient',
  'weather: forecast',
  'create issue: Opens a new issue in a GitHub repository, with labels, assignees and a milestone.',
];

async function openEmbedder(runtime: RuntimeChoice = 'auto') {
  const embedder = await createEmbedder({ model: 'gte-small', logger: silentLogger, runtime });
  if (embedder === undefined) throw new Error('no embedder');
  return embedder;
}

/** An embedder whose processes the test can kill from outside. */
function openExposed(idleMs = 0): { embedder: ProcessEmbedder; children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const embedder = new ProcessEmbedder({
    space: { id: 'gte-small/int8/1', dimension: 384 },
    source: { kind: 'bert', files: builtInModel(), runtime: 'native' },
    logger: silentLogger,
    idleMs,
    startProcess: (logger) => {
      const child = startModelProcess(logger);
      children.push(child);
      return child;
    },
  });
  return { embedder, children };
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('no vector');
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

const shared = await openEmbedder();
afterAll(() => shared[Symbol.asyncDispose]());

describe('vectors', () => {
  test('vectors have length 1 and are close when meanings are', async () => {
    const [question, email, weather] = await shared.embed(TEXTS);

    expect(question).toHaveLength(shared.space.dimension);
    expect(dot(question, question)).toBeCloseTo(1, 5);
    expect(dot(question, email)).toBeGreaterThan(dot(question, weather) + 0.05);
  });

  test('the vector of a text has the same bits, whatever other texts are in the batch', async () => {
    const together = await shared.embed([...TEXTS, ...TEXTS]);
    const alone = await Promise.all(TEXTS.map((text) => shared.embed([text])));

    expect(together).toEqual([...alone.flat(), ...alone.flat()]);
  });

  test('vectors agree between the native and the portable runtime', async () => {
    await using portable = await openEmbedder('wasm');

    const vectors = await portable.embed(TEXTS);
    const native = await shared.embed(TEXTS);

    expect(portable.status).toMatchObject({ state: 'ready', runtime: 'onnxruntime-web' });
    expect(shared.status).toMatchObject({ state: 'ready', runtime: 'onnxruntime-node' });
    // Both round to 8 bits in their own way: each is about as far from the 32-bit model.
    const cosines = vectors.map((vector, at) => dot(vector, native[at]));
    expect(Math.min(...cosines)).toBeGreaterThan(0.998);
    expect(cosines.reduce((sum, one) => sum + one) / cosines.length).toBeGreaterThan(0.999);
  });

  test('the embedder accepts empty and endless texts, and an empty list', async () => {
    const vectors = await shared.embed(['', 'word, '.repeat(20_000)]);

    expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
    expect(await shared.embed([])).toEqual([]);
  });
});

describe('requests', () => {
  test('a query overtakes background requests', async () => {
    const finished: string[] = [];
    const many = Array.from({ length: 200 }, (_, at) => `tool number ${at}`);

    const background = shared.embed(many).then(() => finished.push('background'));
    await shared.embed(['first'], { priority: 'query' });
    const query = shared.embed(['send an email'], { priority: 'query' });
    await Promise.all([background, query.then(() => finished.push('query'))]);

    expect(finished).toEqual(['query', 'background']);
  });

  test('a cancelled request rejects and the next one is answered', async () => {
    const stop = new AbortController();
    const many = Array.from({ length: 500 }, (_, at) => `another tool ${at}`);

    const work = shared.embed(many, { signal: stop.signal });
    stop.abort();

    await expect(work).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
    await expect(shared.embed(['x'], { signal: stop.signal })).rejects.toMatchObject({
      code: 'CALL_CANCELLED',
    });
    await expect(shared.embed(['next'])).resolves.toHaveLength(1);
  });
});

describe('the process of the model', () => {
  test('the model process starts with the first use and not before', async () => {
    const { embedder, children } = openExposed();
    await using _ = embedder;

    expect([embedder.status.state, children.length]).toEqual(['idle', 0]);
    const loading = embedder.warmUp();
    expect(embedder.status.state).toBe('loading');
    await loading;

    expect(embedder.status.state).toBe('ready');
    expect(children).toHaveLength(1);
  });

  test('the model process ends when it is idle, and starts again with the next text', async () => {
    const { embedder, children } = openExposed(1);
    await using _ = embedder;

    await embedder.embed(['first']);
    await expect.poll(() => children[0]?.signalCode).toBe('SIGKILL');
    const { status } = embedder;
    await embedder.embed(['second']);

    expect(status).toEqual({ state: 'idle', loadMs: expect.any(Number) as number });
    expect(children).toHaveLength(2);
  });

  test('the model process restarts after a crash, and its pending requests reject', async () => {
    const { embedder, children } = openExposed();
    await using _ = embedder;
    await embedder.warmUp();

    const lost = embedder.embed(Array.from({ length: 100 }, (_text, at) => `lost ${at}`));
    children[0]?.kill('SIGKILL');

    await expect(lost).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
    expect(embedder.status.state).toBe('failed');
    await expect(embedder.embed(['again'])).resolves.toHaveLength(1);
    expect(children).toHaveLength(2);
  });

  test('the model process is not restarted after three failures in a row', async () => {
    const { embedder, children } = openExposed();
    await using _ = embedder;

    for (let attempt = 0; attempt < 5; attempt += 1) {
      const lost = embedder.embed(['x']);
      children[attempt]?.kill('SIGKILL');
      await expect(lost).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
    }

    expect(children).toHaveLength(3);
    await expect(embedder.embed(['x'])).rejects.toThrow('3 times in a row');
  });

  test('the model process ends with the embedder, and its pending requests reject', async () => {
    const { embedder, children } = openExposed();

    const work = Promise.allSettled([embedder.embed(['x'])]);
    await embedder[Symbol.asyncDispose]();
    await embedder[Symbol.asyncDispose]();

    const [settled] = await work;
    expect(settled).toMatchObject({ reason: { message: 'The embedder is closed' } });
    expect(children[0]?.signalCode).toBe('SIGKILL');
    await expect(embedder.embed(['y'])).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
  });
});
