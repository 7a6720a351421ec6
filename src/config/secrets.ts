import { specSecrets } from '../core/index.js';
import type { LoadedConfig } from './load.js';

/** Every value of the configuration that a log, an error or a page must not show. */
export function secretsOf({ servers, file }: LoadedConfig): readonly string[] {
  const database = file.database === 'embedded' ? [] : [new URL(file.database).password];
  const ofServers = [...servers.values()].flatMap(specSecrets);
  const own = [file.http.token, file.signInKey].filter((one) => typeof one === 'string');
  return [...ofServers, ...database, ...own].filter(Boolean);
}
