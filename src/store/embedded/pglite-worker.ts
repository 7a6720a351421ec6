/**
 * Entry of the thread that holds PGlite. Queries run synchronously on their thread, so a slow one
 * would freeze every client if it ran on the main thread.
 */
import { parentPort } from 'node:worker_threads';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

import { collectGarbage } from '../../process/index.js';
import type { StoreMemory } from '../store.js';
import { DurableNodeFS, START_PARAMETERS } from './durable-node-fs.js';
import type {
  PgliteCall,
  PgliteFailure,
  PgliteReply,
  PgliteRequest,
  PgliteResult,
} from './pglite-protocol.js';

/** 16 MB segments would make up half of a new data directory. Must match `scripts/prepare-store.mjs`. */
const INITDB_ARGUMENTS = ['--wal-segsize=1'];

const NOTHING: PgliteResult = { rows: [] };

let database: PGlite | undefined;

async function perform(request: PgliteRequest): Promise<PgliteResult> {
  switch (request.kind) {
    case 'open':
      database = await PGlite.create({
        fs: new DurableNodeFS(request.directory),
        startParams: START_PARAMETERS,
        initDbStartParams: INITDB_ARGUMENTS,
        extensions: { vector },
      });
      return NOTHING;
    case 'query': {
      const { rows, affectedRows, command } = await opened().query(request.sql, [
        ...request.params,
      ]);
      return {
        rows,
        ...(affectedRows === undefined ? {} : { affectedRows }),
        ...(command === undefined ? {} : { command }),
      };
    }
    case 'exec':
      await opened().exec(request.sql);
      return NOTHING;
    case 'memory':
      return { rows: [memoryOf(opened())] };
    case 'collect':
      await collectGarbage();
      return NOTHING;
    case 'close':
      await database?.close();
      database = undefined;
      return NOTHING;
  }
}

function memoryOf({ Module }: PGlite): StoreMemory {
  const { heapUsed, external } = process.memoryUsage();
  const memory = Module['HEAPU8'] as Uint8Array;
  return { databaseBytes: memory.byteLength, heapBytes: heapUsed, externalBytes: external };
}

function opened(): PGlite {
  if (database === undefined) throw new Error('The database is not open');
  return database;
}

/** What the engine throws when it cannot go on: a FATAL or PANIC of PostgreSQL, or no memory left. */
const ENGINE_ERRORS = new Set(['RuntimeError', 'ExitStatus']);
const ENGINE_WORDS = /Aborted\(|unreachable|out of bounds|program has already aborted/i;

/** An error that PostgreSQL reports, with this code, may quote data: its words say nothing. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

function isFatal({ name, message }: Error, code: unknown): boolean {
  if (database === undefined || (typeof code === 'string' && SQLSTATE.test(code))) return false;
  return ENGINE_ERRORS.has(name) || ENGINE_WORDS.test(message);
}

function describeFailure(error: unknown): PgliteFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, detail } = error as Error & { code?: unknown; detail?: unknown };
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(isFatal(error, code) ? { isFatal: true } : {}),
  };
}

async function answer({ id, request }: PgliteCall): Promise<PgliteReply> {
  try {
    return { id, result: await perform(request) };
  } catch (error) {
    return { id, failure: describeFailure(error) };
  }
}

let previous: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (call: PgliteCall) => {
  previous = previous.then(async () => parentPort?.postMessage(await answer(call)));
});
