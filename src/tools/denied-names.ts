import { matchGlobs, type ServerName } from '../core/index.js';

export type IsDenied = (server: ServerName, name: string) => boolean;

/** Whether `permissions.deny` has `server:name`, where the name is that of a tool or a prompt. */
export function deniedNames(globs: readonly string[]): IsDenied {
  const isDenied = matchGlobs(globs);
  return (server, name) => isDenied(`${server}:${name}`);
}

/** The same for the address of a resource, which can be written in several ways. */
export function deniedAddresses(globs: readonly string[]): IsDenied {
  const isDenied = deniedNames(globs);
  return (server, uri) => spellings(uri).some((one) => isDenied(server, one));
}

function spellings(uri: string): readonly string[] {
  const plain = decoded(uri);
  return [...new Set([uri, plain, resolved(uri), resolved(plain), decoded(resolved(uri))])];
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // Not encoded: as it is.
  }
}

/** Without `.` and `..`. */
function resolved(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}
