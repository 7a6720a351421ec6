import { isPml, type Launch, launchIn } from './pml-entry.js';
import { type ReadFile, serversAt } from './read-client-file.js';

/** The commands with which a client's file starts PML. */
export function findPml({ file, state }: ReadFile): readonly Launch[] {
  if (state.status !== 'read') return [];
  return file.serverPaths.flatMap((place) =>
    Object.entries(serversAt(state.value, place)).flatMap(([name, value]) => {
      const launch = isPml(name, value) ? launchIn(value) : undefined;
      return launch ? [launch] : [];
    }),
  );
}
