import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * A real PostgreSQL: the one `PML_TEST_POSTGRES_URL` names (tests do not drop its tables, so give
 * it an empty database), otherwise one of our own from the installed binaries.
 * If there is none, a string with the reason.
 */
export async function startPostgres(): Promise<PostgresServer | string> {
  const url = process.env['PML_TEST_POSTGRES_URL'];
  if (url !== undefined) return { url, async [Symbol.asyncDispose]() {} };
  const binaries = await findBinaries();
  if (binaries === undefined) {
    return 'no PostgreSQL binaries found and PML_TEST_POSTGRES_URL is not set';
  }
  const identity = await findIdentity();
  if (identity === undefined) return 'PostgreSQL refuses to run as root and there is no other user';
  return startFrom(binaries, identity);
}

/** `pg_ctl` and `initdb` of Debian, Homebrew or from PATH. */
async function findBinaries(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? (await readdir(debian)).toSorted().toReversed() : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find(
    (folder) => existsSync(join(folder, 'pg_ctl')) && existsSync(join(folder, 'initdb')),
  );
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

async function findIdentity(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return {};
  for (const user of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, user]))).catch(
      () => [],
    );
    const [uid, gid] = ids.map(({ stdout }) => Number(stdout));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  return undefined;
}

async function startFrom(binaries: string, identity: Identity): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pml-postgres-'));
  await chmod(folder, 0o700);
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
  const data = join(folder, 'data');
  const options = { ...identity, cwd: folder };
  await run(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'pml', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  // Only a socket inside our own folder: no port to collide with.
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  const control = join(binaries, 'pg_ctl');
  await run(
    control,
    ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start'],
    options,
  );
  return {
    url: `postgres://pml@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async [Symbol.asyncDispose]() {
      await run(control, ['-D', data, '-w', '-m', 'immediate', 'stop'], options);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
