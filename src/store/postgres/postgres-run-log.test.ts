import { once } from 'node:events';

import * as fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { describeRunLog } from '../../../test/conformance/run-log.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/helpers/database-proxy.js';
import { forkScript, killHard } from '../../../test/helpers/fork-script.js';
import { startPostgres } from '../../../test/helpers/postgres-server.js';
import {
  type RunEvent,
  type RunId,
  runId,
  type RunLog,
  type RunState,
  silentLogger,
} from '../../core/index.js';
import { migrate } from '../migrate.js';
import type { Tables } from '../schema.js';
import { openPool } from './postgres-pool.js';
import { createPostgresRunLog, type LeaseTimes } from './postgres-run-log.js';

const server = await startPostgres();
const isMissing = typeof server === 'string';
const skipped = isMissing ? `, skipped: ${server}` : '';

/** A process that renews its leases for the whole test, and one that never does. */
const ALIVE: LeaseTimes = { leaseMs: 600_000, renewMs: 600_000 };
const DEAD: LeaseTimes = { leaseMs: 0, renewMs: 600_000 };

const started = (run: RunId, at = 1_000): RunEvent => ({
  type: 'run-started',
  run,
  at,
  tasks: [],
  approve: 'risky',
  context: {},
});
const said = (text: string): RunEvent => ({ type: 'message-added', at: 2_000, text });
const finished = (at = 3_000): RunEvent => ({ type: 'run-finished', at, outcome: 'completed' });
const checkpoint = (run: RunId, text: string): RunEvent => {
  const messages = [{ at: 2_000, text }];
  const state = { run, startedAt: 1_000, approve: 'risky', tasks: [], decisions: [] } as const;
  return { type: 'run-checkpoint', state: { ...state, messages, context: {} } satisfies RunState };
};

/** A log with its own connections, like that of another process. */
function openLog(url: string, lease: LeaseTimes) {
  const statements: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: () => openPool(url, silentLogger) }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const log: RunLog = createPostgresRunLog(db, { logger: silentLogger, lease });
  return {
    log,
    db,
    statements,
    async [Symbol.asyncDispose]() {
      await log[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

describe.skipIf(isMissing)(`run journal on PostgreSQL${skipped}`, () => {
  const url = isMissing ? '' : server.url;
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: () => openPool(url, silentLogger) }),
  });
  const open = (lease: LeaseTimes) => openLog(url, lease);
  const countRows = async (run: RunId) => {
    const rows = await db.selectFrom('run_event').select('seq').where('run', '=', run).execute();
    return rows.length;
  };

  beforeAll(() => migrate(db, { logger: silentLogger }));
  beforeEach(async () => void (await sql`delete from run`.execute(db)));
  afterAll(async () => {
    await db.destroy();
    if (!isMissing) await server[Symbol.asyncDispose]();
  });

  describeRunLog('PostgreSQL', async () => {
    await sql`delete from run`.execute(db);
    let current = open(ALIVE);
    return {
      log: current.log,
      reopen: async () => {
        await current[Symbol.asyncDispose]();
        current = open(ALIVE);
        return current.log;
      },
      [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
    };
  });

  test('PostgreSQL journal writes concurrent appends in one statement', async () => {
    await using one = open(ALIVE);
    const runs = Array.from({ length: 100 }, (_, index) => runId(`r${index}`));

    await Promise.all(
      runs.map(async (run) => {
        await one.log.append(run, [started(run)]);
        for (const text of ['a', 'b', 'c']) await one.log.append(run, [said(text)]);
      }),
    );

    expect(one.statements).toHaveLength(4);
    expect(await one.log.list({ limit: 200 })).toEqual(runs.toReversed());
    const [first] = runs as [RunId];
    expect(await one.log.read(first)).toEqual([started(first), said('a'), said('b'), said('c')]);
  });

  test('PostgreSQL journal splits a large batch into several statements, in order', async () => {
    await using one = open(ALIVE);
    const run = runId('much');
    const events = [started(run), ...Array.from({ length: 1_200 }, (_, n) => said(`${n}`))];
    const long = said('x'.repeat(3_000_000));

    await Promise.all([...events, long, long, long].map((event) => one.log.append(run, [event])));

    expect(await one.log.read(run)).toEqual([...events, long, long, long]);
    expect(one.statements.length).toBeGreaterThan(4);
  });

  test('PostgreSQL journal reads back every character unchanged', async () => {
    await using one = open(ALIVE);
    const run = runId('odd');
    const events = [
      started(run),
      said('nul \0, half \ud800 a pair, 🐘 "q" \\ \\u0000 \n \r\n \u2028 {}'),
    ];

    await one.log.append(run, events);

    expect(await one.log.read(run)).toEqual(events);
    expect(await one.log.read(runId('a\0b'))).toEqual([]);
  });

  test('PostgreSQL journal lets another process claim a run after the lease expired', async () => {
    await using alive = open(ALIVE);
    await using dead = open(DEAD);
    const [kept, left, over] = [runId('kept'), runId('left'), runId('over')];
    await alive.log.append(kept, [started(kept)]);
    await dead.log.append(left, [started(left), said('a')]);
    await dead.log.append(over, [started(over), finished()]);
    await using other = open(ALIVE);

    expect(await other.log.claim()).toEqual([left]);
    expect(await alive.log.claim()).toEqual([kept]);

    await other.log.append(left, [said('b')]);
    expect(await alive.log.read(left)).toEqual([started(left), said('a'), said('b')]);
  });

  test('PostgreSQL journal claims its own runs again, but none that another process took over', async () => {
    await using dead = open(DEAD);
    await using other = open(ALIVE);
    const [kept, taken] = [runId('kept'), runId('taken')];
    await dead.log.append(taken, [started(taken)]);
    await other.log.claim();
    await dead.log.append(kept, [started(kept)]);

    expect(await dead.log.claim()).toEqual([kept]);
    await dead.log.append(kept, [said('still mine')]);
    expect(await other.log.claim()).toEqual([taken, kept]);
  });

  test('PostgreSQL journal shortens a finished run of a dead process, but no unfinished one', async () => {
    const [over, left] = [runId('over'), runId('open')];
    {
      await using dead = open(ALIVE);
      await dead.log.append(over, [started(over), said('a')]);
      await dead.log.append(over, [finished(5_000)]);
      await dead.log.append(left, [started(left)]);
    }
    await using one = open(ALIVE);
    await using other = open(ALIVE);

    await one.log.append(over, [checkpoint(over, 'short')]);
    await other.log.append(over, [checkpoint(over, 'shorter')]);
    await expect(one.log.append(left, [checkpoint(left, 'no')])).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });
    await expect(one.log.append(over, [said('no')])).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });

    expect(await one.log.read(over)).toEqual([checkpoint(over, 'shorter')]);
    expect(await one.log.claim()).toEqual([left]);
    expect(await one.log.prune({ keepRuns: 9, endedBefore: 5_000 })).toBe(0);
    expect(await one.log.prune({ keepRuns: 9, endedBefore: 5_001 })).toBe(1);
  });

  test('PostgreSQL journal refuses events of a process whose run was claimed by another', async () => {
    await using dead = open(DEAD);
    await using other = open(ALIVE);
    const [run, own] = [runId('taken'), runId('own')];
    await dead.log.append(run, [started(run)]);
    await other.log.claim();

    const appends = [
      dead.log.append(run, [said('too late')]),
      dead.log.append(own, [started(own)]),
      dead.log.append(run, [checkpoint(run, 'too late')]),
    ];

    const refusal = {
      code: 'JOURNAL_FAILED',
      message: expect.stringContaining('Another process has run taken, '),
    };
    await expect(appends[0]).rejects.toMatchObject(refusal);
    await expect(appends[1]).resolves.toBeUndefined();
    await expect(appends[2]).rejects.toMatchObject(refusal);
    await expect(dead.log.append(run, [said('again')])).rejects.toMatchObject(refusal);
    expect(await dead.log.read(run)).toEqual([started(run)]);
    expect(await other.log.read(run)).toEqual([started(run)]);
  });

  test('PostgreSQL journal refuses to begin a run that belongs to another process', async () => {
    await using one = open(ALIVE);
    await using other = open(ALIVE);
    const run = runId('begun');
    await one.log.append(run, [started(run)]);

    await expect(other.log.append(run, [started(run), said('no')])).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });

    expect(await one.log.read(run)).toEqual([started(run)]);
  });

  test('PostgreSQL journal claims a run back after a refused write showed that it was lost', async () => {
    await using first = open(DEAD);
    const run = runId('back and forth');
    await first.log.append(run, [started(run)]);
    {
      await using second = open(DEAD);
      expect(await second.log.claim()).toEqual([run]);
      await second.log.append(run, [said('second')]);
    }
    // The worker in the first process does not know yet what the second one did.
    expect(await first.log.claim()).toEqual([]);
    await expect(first.log.append(run, [said('stale')])).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });

    expect(await first.log.claim()).toEqual([run]);
    await first.log.append(run, [said('first')]);

    expect(await first.log.read(run)).toEqual([started(run), said('second'), said('first')]);
  });

  test('PostgreSQL journal gives each run to one of several concurrent claimers, oldest first', async () => {
    const runs = Array.from({ length: 200 }, (_, index) => runId(`orphan-${index}`));
    {
      await using dead = open(DEAD);
      await Promise.all(runs.map((run) => dead.log.append(run, [started(run)])));
    }
    await using one = open(ALIVE);
    await using two = open(ALIVE);
    await using three = open(ALIVE);

    const claims = await Promise.all([one, two, three].map(({ log }) => log.claim()));

    expect(claims.flat().toSorted()).toEqual(runs.toSorted());
    const place = (run: RunId) => runs.indexOf(run);
    for (const claim of claims) {
      expect(claim.map(place)).toEqual(claim.map(place).toSorted((a, b) => a - b));
    }
  });

  test('PostgreSQL journal renews its leases while open and releases its runs when closed', async () => {
    const run = runId('given back');
    await using other = open(ALIVE);
    {
      await using one = openLog(url, { leaseMs: 60_000, renewMs: 20 });
      await one.log.append(run, [started(run)]);
      await sql`update run set leased_until = clock_timestamp() - interval '1 s'`.execute(db);
      const isLeased = async () => {
        const { rows } = await sql<{ is: boolean }>`
          select leased_until > clock_timestamp() as is from run`.execute(db);
        return rows[0]?.is;
      };

      await expect.poll(isLeased).toBe(true);

      expect(await other.log.claim()).toEqual([]);
    }
    expect(await other.log.claim()).toEqual([run]);
  });

  test('PostgreSQL journal keeps only rows that still count after a checkpoint', async () => {
    await using one = open(ALIVE);
    const run = runId('long');
    await one.log.append(run, [started(run)]);
    for (const text of ['a', 'b', 'c']) await one.log.append(run, [said(text)]);

    await one.log.append(run, [said('d'), checkpoint(run, 'all of it'), said('e')]);
    await one.log.append(run, [said('f')]);
    await one.log.prune({ keepRuns: 10, endedBefore: 0 });

    expect(await one.log.read(run)).toEqual([checkpoint(run, 'all of it'), said('e'), said('f')]);
    expect(await countRows(run)).toBe(2);
  });

  test('PostgreSQL journal prunes thousands of finished runs of all processes with their events', async () => {
    await using one = open(ALIVE);
    await using other = open(ALIVE);
    const runs = Array.from({ length: 1_000 }, (_, index) => runId(`run-${index}`));
    await Promise.all(
      runs.map((run, index) => {
        const events = [started(run, index), finished(index)];
        return (index % 2 ? one : other).log.append(run, events);
      }),
    );
    const unfinished = runId('unfinished');
    await one.log.append(unfinished, [started(unfinished, 0)]);

    expect(await one.log.prune({ keepRuns: 900, endedBefore: 0 })).toBe(100);
    expect(await one.log.prune({ keepRuns: 5_000, endedBefore: 995 })).toBe(895);
    expect(await one.log.prune({ keepRuns: Infinity, endedBefore: -Infinity })).toBe(0);

    const left = await one.log.list({ limit: 2_000 });
    expect(new Set(left)).toEqual(new Set([...runs.slice(995), unfinished]));
    expect(await countRows(runs[0]!)).toBe(0);
    expect(await countRows(runs[999]!)).toBe(1);
  });

  test('PostgreSQL journal counts a run as finished by its checkpoint, whatever the timestamp', async () => {
    await using dead = open(DEAD);
    const run = runId('finished by checkpoint');
    const { state } = checkpoint(run, 'x') as Extract<RunEvent, { type: 'run-checkpoint' }>;
    const end = { at: 1e300, outcome: 'failed' } as const;
    const event: RunEvent = {
      type: 'run-checkpoint',
      state: { ...state, startedAt: Number.NaN, finished: end },
    };

    await dead.log.append(run, [event]);

    await using other = open(ALIVE);
    expect(await other.log.claim()).toEqual([]);
    expect(await other.log.prune({ keepRuns: 0, endedBefore: 0 })).toBe(1);
  });

  test('PostgreSQL journal refuses events it cannot write, and everything once it is closed', async () => {
    const run = runId('refused');
    await using one = open(ALIVE);
    const progress: RunEvent = {
      type: 'task-progress',
      task: 'a' as never,
      progress: { progress: 1 },
    };
    await expect(one.log.append(run, [started(run), progress])).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
      message: expect.stringContaining('Nothing was added to run refused'),
    });
    const context = { big: 1n as never };
    await expect(
      one.log.append(run, [{ ...started(run), context } as RunEvent]),
    ).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    await one.log.append(run, []);
    expect(await one.log.list({ limit: 10 })).toEqual([]);

    await one.log[Symbol.asyncDispose]();
    await one.log[Symbol.asyncDispose]();

    const closed = { code: 'JOURNAL_FAILED', message: 'The run journal is closed' };
    await expect(one.log.append(run, [started(run)])).rejects.toMatchObject(closed);
    await expect(one.log.claim()).rejects.toMatchObject(closed);
  });

  test('PostgreSQL journal keeps acknowledged events of a killed process, and others resume its runs', async () => {
    await using heir = open(ALIVE);
    for (const [round, count] of [3, 400, 77].entries()) {
      await using writer = forkScript('store/endless-run-writer.ts', [url, String(round)]);
      const acknowledged = new Map<RunId, number>();
      for (let seen = 0; seen < count; seen += 1) {
        const [ack] = (await once(writer.child, 'message')) as [{ run: RunId; number: number }];
        acknowledged.set(ack.run, ack.number);
      }
      await killHard(writer.child);

      // The server may still execute the last statement it received.
      await expect
        .poll(() => heir.log.claim())
        .toEqual(expect.arrayContaining([...acknowledged.keys()]));

      for (const [run, number] of acknowledged) {
        const [first, ...rest] = await heir.log.read(run);
        expect(first?.type).toBe('run-started');
        expect(rest.length).toBeGreaterThan(number);
        expect(rest).toMatchObject(rest.map((_, index) => ({ text: String(index) })));
        await heir.log.append(run, [finished()]);
      }
    }
  }, 60_000);

  describe('when the connection breaks', () => {
    let proxy: DatabaseProxy;
    beforeEach(async () => {
      proxy = await startDatabaseProxy(url);
      return () => proxy[Symbol.asyncDispose]();
    });

    test('PostgreSQL journal retries over a new connection after a break, without writing twice', async () => {
      await using one = openLog(proxy.url, ALIVE);
      const run = runId('reconnected');
      await one.log.append(run, [started(run)]);

      proxy.loseAnswers();
      await one.log.append(run, [said('a')]);
      proxy.loseAnswers();
      await one.log.append(run, [said('b'), finished()]);

      expect(await one.log.read(run)).toEqual([started(run), said('a'), said('b'), finished()]);
    });

    test('PostgreSQL journal reports a lost database, adds nothing and continues when it is back', async () => {
      await using one = openLog(proxy.url, ALIVE);
      const [run, other] = [runId('cut off'), runId('begun while cut off')];
      await one.log.append(run, [started(run)]);

      proxy.cut();
      const failures = await Promise.all(
        [
          one.log.append(run, [said('lost')]),
          one.log.append(other, [started(other)]),
          one.log.read(run),
          one.log.list({ limit: 1 }),
          one.log.claim(),
          one.log.prune({ keepRuns: 0, endedBefore: 0 }),
        ].map((step) => step.catch((error: unknown) => error)),
      );

      for (const failure of failures) {
        expect(failure).toMatchObject({
          code: 'JOURNAL_FAILED',
          message: expect.stringMatching(/^Could not \w+.*: .+/),
        });
      }
      proxy.restore();
      expect(await one.log.read(run)).toEqual([started(run)]);
      expect(await one.log.list({ limit: 10 })).toEqual([run]);
      await one.log.append(run, [said('kept')]);
      expect(await one.log.read(run)).toEqual([started(run), said('kept')]);
    });

    test('PostgreSQL journal ignores a refused write even if the database committed it', async () => {
      await using one = openLog(proxy.url, ALIVE);
      const [run, other] = [runId('in_doubt'), runId('never begun')];
      await one.log.append(run, [started(run), said('a')]);

      // The first attempt is committed, but its response is lost; the second cannot connect.
      proxy.loseAnswers({ thenCut: true });
      const outcomes = await Promise.allSettled([
        one.log.append(run, [said('lost'), checkpoint(run, 'lost'), finished()]),
        one.log.append(other, [started(other)]),
      ]);
      proxy.restore();

      expect(await countRows(run)).toBe(2);
      expect(await countRows(other)).toBe(1);
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(await one.log.read(run)).toEqual([started(run), said('a')]);
      expect(await one.log.read(other)).toEqual([]);
      expect(await one.log.list({ limit: 10 })).toEqual([run]);
      expect(await one.log.claim()).toEqual([run]);
      await one.log.append(run, [said('b')]);
      await one.log.prune({ keepRuns: 0, endedBefore: 0 });
      await using reader = open(ALIVE);
      expect(await reader.log.read(run)).toEqual([started(run), said('a'), said('b')]);
      expect(await reader.log.list({ limit: 10 })).toEqual([run]);
    });

    test('PostgreSQL journal reads back exactly the acknowledged events after any connection breaks', async () => {
      await using reader = open(ALIVE);
      let [count, wasRefused] = [0, false];
      const step = fc.record({
        kind: fc.constantFrom('say', 'say', 'say', 'checkpoint', 'finish'),
        fault: fc.constantFrom('none', 'none', 'lose', 'cut', 'lose and cut'),
        together: fc.integer({ min: 1, max: 3 }),
      });

      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
          const one = openLog(proxy.url, DEAD);
          const run = runId(`property-${(count += 1)}`);
          await one.log.append(run, [started(run)]);
          let expected: RunEvent[] = [started(run)];

          for (const [place, { kind, fault, together }] of steps.entries()) {
            const batches = Array.from({ length: together }, (_, part) => {
              const text = `${place}.${part}`;
              if (kind === 'checkpoint') return [said(text), checkpoint(run, text)];
              return kind === 'finish' ? [finished()] : [said(text)];
            });
            if (fault === 'cut') proxy.cut();
            if (fault.includes('lose')) proxy.loseAnswers({ thenCut: fault !== 'lose' });
            const outcomes = await Promise.allSettled(
              batches.map((events) => one.log.append(run, events)),
            );
            wasRefused ||= outcomes.some(({ status }) => status === 'rejected');
            proxy.restore();
            for (const [index, { status }] of outcomes.entries()) {
              if (status === 'rejected') continue;
              const events = batches[index]!;
              const fresh = events.findIndex(({ type }) => type === 'run-checkpoint');
              expected = fresh < 0 ? [...expected, ...events] : events.slice(fresh);
            }
            expect(await one.log.read(run)).toEqual(expected);
          }

          await one.log.append(run, [said('last')]);
          await one[Symbol.asyncDispose]();
          expect(await reader.log.read(run)).toEqual([...expected, said('last')]);
        }),
        { numRuns: 40, seed: 7 },
      );
      expect(wasRefused).toBe(true);
    }, 120_000);
  });
});
