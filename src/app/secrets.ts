import type { LoadedConfig } from './load-config.js';

/** Every value of the configuration that a log, an error or a page must not show. */
export function secretsOf({ servers, file }: LoadedConfig): readonly string[] {
  const ofServers = [...servers.values()].flatMap((spec) =>
    spec.kind === 'stdio'
      ? Object.entries(spec.env).flatMap(([key, value]) => (isPlain(key, value) ? [] : [value]))
      : Object.values(spec.headers).flatMap((value) => [value, value.replace(/^Bearer\s+/i, '')]),
  );
  const database = file.database === 'embedded' ? [] : [new URL(file.database).password];
  return [...ofServers, ...database, ...(file.http.token ? [file.http.token] : [])].filter(Boolean);
}

/** Paths and switches are no secrets, and hiding them would hide what the log is about. */
function isPlain(key: string, value: string): boolean {
  if (/key|token|secret|pass|auth|cred/i.test(key)) return false;
  return /^[./~]|^[A-Z]:\\|^(true|false|\d+|info|debug|warn|error)$/i.test(value);
}
