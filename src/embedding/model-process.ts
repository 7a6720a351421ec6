/**
 * Entry of the process that holds the model. A process and not a thread: the native runtime can be
 * loaded by one thread only, once, and takes the whole process down when that thread is ended while
 * it computes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

import { messageOf } from '../core/index.js';
import { loadBertEncoder } from './bert-encoder.js';
import type { Encoder } from './encoder.js';
import type { FromModel, ModelSource, ToModel } from './model-protocol.js';
import { type Job, TextQueue } from './text-queue.js';
import { loadTransformersEncoder } from './transformers-encoder.js';

const queue = new TextQueue();
let encoder: Encoder | undefined;
let isWorking = false;

function send(message: FromModel): void {
  process.send?.(message);
}

async function load(source: ModelSource): Promise<void> {
  try {
    encoder =
      source.kind === 'bert'
        ? await loadBertEncoder(source.files, source.runtime)
        : await loadTransformersEncoder(source.model);
  } catch (error) {
    send({ kind: 'load-failed', message: messageOf(error) });
    return;
  }
  const { runtime, fallbackReason, dimension } = encoder;
  send({
    kind: 'loaded',
    runtime,
    dimension,
    ...(fallbackReason === undefined ? {} : { fallbackReason }),
  });
  await work();
}

async function work(): Promise<void> {
  if (isWorking || encoder === undefined) return;
  isWorking = true;
  for (let job = queue.next(); job !== undefined; job = queue.next()) {
    await advance(job, encoder);
    // Computing blocks this process: let in what arrived meanwhile.
    await nextTurn();
  }
  isWorking = false;
}

async function advance({ request: { id, texts }, vectors }: Job, model: Encoder): Promise<void> {
  try {
    vectors.push(await model.encode(texts[vectors.length] ?? ''));
  } catch (error) {
    queue.remove(id);
    send({ kind: 'embed-failed', id, message: messageOf(error) });
    return;
  }
  if (vectors.length < texts.length) return;
  queue.remove(id);
  send({ kind: 'embedded', id, vectors });
}

function receive(message: ToModel): void {
  switch (message.kind) {
    case 'load':
      void load(message.source).catch(giveUp);
      return;
    case 'embed':
      queue.add(message);
      void work().catch(giveUp);
      return;
    case 'cancel':
      queue.remove(message.id);
      return;
  }
}

/** Only a fault of this file gets here; the embedder sees the process end and tells its callers. */
function giveUp(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`, () => process.exit(1));
}

process.title = 'pml-embedding';
process.on('message', receive);
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; our end is the business of the process that started us.
process.on('SIGINT', () => {});
