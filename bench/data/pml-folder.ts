import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { DaemonStatus } from '../../src/control/index.js';
import { LineClient } from '../line-client.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** PML on a configuration and a data directory of its own, until it is disposed of. */
export class PmlFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  readonly dataDir = join(this.path, 'data');
  readonly #config = join(this.path, 'pml.json');

  configure(config: object): void {
    const whole = { embedding: 'none', dataDir: './data', ...config };
    writeFileSync(this.#config, JSON.stringify(whole));
  }

  async connect(): Promise<LineClient> {
    const client = new LineClient([process.execPath, CLI, 'serve', '--config', this.#config]);
    await client.initialize();
    return client;
  }

  status(): DaemonStatus {
    return JSON.parse(this.#run('status', '--json')) as DaemonStatus;
  }

  stop(): void {
    this.#run('stop');
  }

  [Symbol.dispose](): void {
    this.stop();
    rmSync(this.path, { recursive: true, force: true });
  }

  #run(...args: string[]): string {
    return execFileSync(process.execPath, [CLI, ...args, '--config', this.#config], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }
}
