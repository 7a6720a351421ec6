import type { RpcId } from '../../rpc/index.js';

/** Of a request's id as it is written into an event id. Longer ones are left out. */
const MOST_CHARACTERS = 256;
const COUNT_DIGITS = 10;
const WITH_REQUEST = new RegExp(
  String.raw`^[\w-]{1,64}_\d{${COUNT_DIGITS}}~([\w-]{1,${MOST_CHARACTERS}})$`,
);

/**
 * Names an event of a stream. The request that the stream answers is part of the name: a daemon that
 * knows nothing of the session can then still tell the client which call was lost.
 */
export function writeEventId(streamId: string, count: number, request: RpcId | undefined): string {
  const name = `${streamId}_${String(count).padStart(COUNT_DIGITS, '0')}`;
  const written = request === undefined ? '' : encode(request);
  return written === '' || written.length > MOST_CHARACTERS ? name : `${name}~${written}`;
}

export function streamOfEvent(eventId: string): string {
  const [name = ''] = eventId.split('~', 1);
  return name.slice(0, name.lastIndexOf('_'));
}

/** The request an event id names, if it is written exactly as `writeEventId` writes it. */
export function requestOfEvent(eventId: string): RpcId | undefined {
  const written = WITH_REQUEST.exec(eventId)?.[1];
  if (written === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(Buffer.from(written, 'base64url').toString());
    const isId = typeof id === 'string' || typeof id === 'number';
    return isId && encode(id) === written ? id : undefined;
  } catch {
    return undefined; // Not JSON, so not written by us.
  }
}

function encode(id: RpcId): string {
  return Buffer.from(JSON.stringify(id)).toString('base64url');
}
