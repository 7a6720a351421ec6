import type { IncomingMessage, ServerResponse } from 'node:http';

import { RPC, type RpcId, type RpcResponse } from '../../rpc/index.js';
import { requestOfEvent } from './event-id.js';

const ADVICE =
  'it may or may not have been carried out, and a run that it began goes on by itself. It is safe to retry if the call changes nothing; else check first (`pml runs` lists runs).';

/** The call whose answer a client asks for when it comes back to an unknown session. */
export function lostCallOf({ method, headers }: IncomingMessage): RpcId | undefined {
  const last = headers['last-event-id'];
  const reads = headers.accept?.includes('text/event-stream') === true;
  return method === 'GET' && reads && typeof last === 'string' ? requestOfEvent(last) : undefined;
}

/** Ends the call for the client: after a 404 here, clients would wait until their time is up. */
export function tellLostCall(response: ServerResponse, id: RpcId): void {
  const error: RpcResponse = {
    jsonrpc: '2.0',
    id,
    error: {
      code: RPC.connectionLost,
      message: `The session of this call is gone, as after a restart of the PML daemon; ${ADVICE}`,
      data: { retryable: false },
    },
  };
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
  });
  response.end(`event: message\ndata: ${JSON.stringify(error)}\n\n`);
}
