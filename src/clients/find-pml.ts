import { isPml, type Launch, launchIn } from './pml-entry.js';
import { listServers, type ReadFile } from './read-client-file.js';

/** The commands with which a client's file starts PML. */
export function findPml({ file, state }: ReadFile): readonly Launch[] {
  if (state.status !== 'read') return [];
  return listServers(file, state.value).flatMap(({ name, entry: { value } }) => {
    const launch = isPml(name, value) ? launchIn(value) : undefined;
    return launch ? [launch] : [];
  });
}
