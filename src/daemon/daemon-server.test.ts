import { join } from 'node:path';

import { expect, test } from 'vitest';

import { offlineSessions } from '../../test/helpers/offline-sessions.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger } from '../core/index.js';
import { greetDaemon } from './connect.js';
import { DaemonServer } from './daemon-server.js';
import { PROTOCOL } from './hello.js';

test('a daemon that stops sends a client to the next one before it closes anything', async () => {
  await using folder = await temporaryFolder();
  const { sessions } = await offlineSessions([]);
  const path = join(folder.path, 'socket');
  await using server = new DaemonServer({
    path,
    version: '1.0.0',
    build: 'a',
    config: 'pml.json',
    maxMessageBytes: 1e6,
    sessions,
    control: async () => ({}),
    onOutdated: () => {},
    onClientsChanged: () => {},
    log: silentLogger,
  });
  await server.listen();
  const hello = {
    kind: 'session',
    protocol: PROTOCOL,
    version: '1.0.0',
    config: 'pml.json',
  } as const;

  server.stopAccepting();
  const greeted = await greetDaemon(path, { ...hello, session: 's' });
  greeted?.socket.destroy();

  expect(greeted?.reply).toMatchObject({ ok: false, code: 'STOPPING' });
  expect(server.clientCount).toBe(0);
});
