/** Journals with flipped bits, emptied or deleted while PML uses them; real processes. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { probeJournal } from '../../src/app/probe/probe-journal.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { judgeJournal } from '../../src/cli/doctor/journal.js';
import type { DaemonStatus, RunInfo } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { type Counter, createCounter, execute, runOf } from '../helpers/counter.js';
import { killIfAlive } from '../helpers/workspace.js';

const journalOf = ({ workspace }: Counter) => join(workspace.dataDir, 'journal');
const segmentOf = (counter: Counter) => {
  const name = readdirSync(journalOf(counter)).findLast((one) => one.endsWith('.log'));
  return join(journalOf(counter), name ?? '');
};

/**
 * A finished run, and then a run that waits for an approval, whose records come last. No client
 * stays connected, so no relay restarts the daemon.
 */
async function twoRuns(counter: Counter): Promise<string> {
  await using client = await counter.workspace.connect();
  await execute(client, [{ tool: 'one:append', args: { key: 'done' } }], { intent: 'done' });
  const asked = await execute(client, [{ tool: 'two:delete_all', args: { key: 'wiped' } }]);
  return runOf(asked).run;
}

/** The journal check of `pml doctor`, without its slower checks. */
async function examine({ workspace }: Counter): Promise<Finding> {
  const status = await askDaemon(workspace.dataDir, 'status');
  const { journal } = (status ?? {}) as Partial<DaemonStatus>;
  return judgeJournal(await probeJournal(workspace.dataDir, 'embedded'), journal?.problems);
}

async function statusOf({ workspace }: Counter, run: string): Promise<string | undefined> {
  const { stdout } = await workspace.run('runs', '--json');
  const { runs } = JSON.parse(stdout) as { runs: readonly RunInfo[] };
  return runs.find((one) => one.run === run)?.status;
}

describe('a journal [JOURNAL-DAMAGE]', () => {
  test('journal whose last record changed shows its run as damaged, says where, and ends it on request', async () => {
    await using counter = await createCounter();
    const { workspace } = counter;
    expect(await examine(counter)).toMatchObject({ level: 'ok', message: 'no runs yet' });
    const run = await twoRuns(counter);
    expect(await examine(counter)).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('every record is whole') as string,
    });
    killIfAlive(workspace.daemonPid());
    const path = segmentOf(counter);
    const bytes = readFileSync(path);
    const offset = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    bytes[offset + 3] = bytes[offset + 3]! ^ 1;
    writeFileSync(path, bytes);

    const { stdout } = await workspace.run('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };

    expect(findings.find(({ what }) => what === 'journal')).toMatchObject({
      level: 'fail',
      message: expect.stringContaining(`${path}, byte ${offset}`) as string,
    });
    expect(await statusOf(counter, run)).toBe('damaged');
    const shown = await workspace.run('show', run);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain(`Part of the journal of run ${run} is lost`);
    const refused = await workspace.run('continue', run, 'approve');
    expect(refused.stderr).toContain('JOURNAL_FAILED');
    await workspace.run('continue', run, 'abort');
    expect(await statusOf(counter, run)).toBe('aborted');
    expect(counter.timesOf('wiped')).toBe(0);
  });

  test('journal whose last write a crash cut off is intact, and its run resumes', async () => {
    await using counter = await createCounter();
    const run = await twoRuns(counter);
    killIfAlive(counter.workspace.daemonPid());
    const path = segmentOf(counter);
    writeFileSync(path, `${readFileSync(path, 'utf8')}deadbeef + "${run}" 9 eve`);

    const found = await examine(counter);

    expect(found).toMatchObject({
      level: 'ok',
      message: expect.stringContaining('a crash cut it off') as string,
    });
    await expect.poll(() => statusOf(counter, run)).toBe('needs_approval');
  });

  test('doctor, status and log report a journal that was emptied or deleted', async () => {
    await using counter = await createCounter();
    const { workspace } = counter;
    const harms = [
      () => truncateSync(segmentOf(counter), 0),
      () => rmSync(journalOf(counter), { recursive: true }),
      () => {
        rmSync(journalOf(counter), { recursive: true });
        rmSync(`${journalOf(counter)}.mark`);
      },
    ];
    for (const harm of harms) {
      await twoRuns(counter);
      await workspace.stop();
      harm();
      const before = workspace.log.length;
      {
        await using _client = await workspace.connect();
        const { journal } = await workspace.status();

        expect(journal?.problems.length).toBeGreaterThan(0);
        expect((await examine(counter)).level).toBe('fail');
        expect(workspace.log.slice(before)).toMatch(/ERROR .*journal/);
      }
      await workspace.stop();
    }
  });
});
