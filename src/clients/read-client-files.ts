import { realpath } from 'node:fs/promises';

import { type Client, type ClientFile, clientFiles, type Machine } from './client-files.js';
import { readClientFile, type ReadFile } from './read-client-file.js';

/**
 * Reads all files of these clients, each file once. In the home directory a file of the project can be
 * the user's own (`~/.cursor/mcp.json`): it counts as the user's then.
 */
export async function readClientFiles(
  clients: readonly Client[],
  machine: Machine,
): Promise<readonly ReadFile[]> {
  const files = clients.flatMap((client) => clientFiles(client, machine));
  const places = await Promise.all(files.map(placeOf));
  const isFirst = (file: ClientFile, index: number) =>
    file.scope === 'user' ||
    !files.some((one, at) => one.scope === 'user' && places[at] === places[index]);
  const read = await Promise.all(files.filter(isFirst).map(readClientFile));
  return read.filter((one) => !one.file.isChoice || isChosen(one, read));
}

function isChosen({ file, state }: ReadFile, all: readonly ReadFile[]): boolean {
  const choices = all.filter((one) => one.file.isChoice && one.file.client === file.client);
  const hasAny = choices.some((one) => one.state.status !== 'absent');
  return hasAny ? state.status !== 'absent' : choices[0]?.file === file;
}

async function placeOf({ path }: ClientFile): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path; // There is none, or it cannot be read: reading it says so.
  }
}
