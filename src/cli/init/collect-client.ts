import { InvalidArgumentError } from 'commander';

import { type Client, CLIENTS } from '../../clients/client-files.js';

/** For a repeatable `--client`. */
export function collectClient(name: string, previous: readonly Client[] = []): readonly Client[] {
  const client = CLIENTS.find((known) => known === name);
  if (!client) throw new InvalidArgumentError(`Known clients are ${CLIENTS.join(', ')}.`);
  return previous.includes(client) ? previous : [...previous, client];
}
