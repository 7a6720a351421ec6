import { canonicalJson, type JsonObject, PmlError } from '../core/index.js';
import type { BackupEntry } from './backup-manifest.js';
import { formatOf } from './formats/format-of.js';
import { PML_NAME } from './pml-entry.js';
import { serversAt, valueAtPath } from './read-client-file.js';
import { serverChanges } from './server-changes.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The current text with the servers it had before PML, for files their client writes all the time.
 * Servers added since stay; PML goes.
 */
export function restoreServers(
  { path, serverPaths }: BackupEntry,
  { current, original }: { current: Buffer; original: Buffer | undefined },
): string {
  const whole = current.toString('utf8');
  const text = whole.replace(BYTE_ORDER_MARK, '');
  const now = parse(path, text);
  const before = original
    ? parse(path, original.toString('utf8').replace(BYTE_ORDER_MARK, ''))
    : {};
  const changes = serverPaths.flatMap((place) => {
    const { [PML_NAME]: _pml, ...added } = serversAt(now, place);
    const servers = { ...serversAt(before, place), ...added };
    const isAbsent = valueAtPath(before, place) === undefined && Object.keys(servers).length === 0;
    const same = canonicalJson(servers) === canonicalJson(serversAt(now, place));
    if (valueAtPath(now, place) === undefined ? isAbsent : same && !isAbsent) return [];
    if (isAbsent) return [{ path: place, value: undefined }];
    return serverChanges(serversAt(now, place), servers, place);
  });
  return whole.slice(0, whole.length - text.length) + formatOf(path).edit(text, changes);
}

function parse(path: string, text: string): JsonObject {
  const format = formatOf(path);
  const parsed = format.parse(text);
  if (parsed.ok) return parsed.value;
  throw new PmlError(
    'CONFIG_INVALID',
    `${path} is not valid ${format.name} any more; repair it first`,
  );
}
