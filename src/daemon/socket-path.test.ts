import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { greetDaemon } from './connect.js';
import { PROTOCOL } from './hello.js';
import { prepareSocketFolder, socketPath } from './socket-path.js';

const hello = { kind: 'control', protocol: PROTOCOL, version: '' } as const;
const longDataDir = `/${'long/'.repeat(30)}`;

describe.skipIf(process.platform === 'win32')('a socket in the temporary directory', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let path: string;

  beforeEach(async () => {
    temporary = await temporaryFolder();
    vi.stubEnv('TMPDIR', temporary.path);
    path = socketPath(longDataDir);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await temporary[Symbol.asyncDispose]();
  });

  const wrongFolders: [string, (folder: string) => void][] = [
    [
      'others may enter',
      (folder) => {
        mkdirSync(folder);
        chmodSync(folder, 0o755);
      },
    ],
    [
      'is a link',
      (folder) => {
        mkdirSync(join(temporary.path, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(temporary.path, 'elsewhere'), folder);
      },
    ],
  ];

  test.each(wrongFolders)('a socket is not used when its folder %s', async (_what, make) => {
    make(dirname(path));
    const refusal = { code: 'DAEMON_UNREACHABLE', details: { folder: dirname(path) } };

    await expect(greetDaemon(path, hello)).rejects.toMatchObject(refusal);
    expect(() => prepareSocketFolder(path)).toThrow(dirname(path));
  });

  test('a socket in the temporary directory gets a private folder without a listener', async () => {
    expect(await greetDaemon(path, hello)).toBeUndefined();

    prepareSocketFolder(path);

    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(await greetDaemon(path, hello)).toBeUndefined();
  });
});
