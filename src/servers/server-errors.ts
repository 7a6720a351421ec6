import { maskKnown, maskSecrets, messageOf, PmlError, type ServerName } from '../core/index.js';
import { maskRpcError, RpcError } from '../rpc/index.js';

const TRANSPORT_ERRORS: ReadonlySet<string> = new Set(['TOOL_TIMED_OUT', 'SERVER_PROTOCOL_ERROR']);

/**
 * An error of the transport says which server it comes from. A server may quote the key it refuses,
 * so the message is masked before PML passes it on.
 */
export function nameError(
  error: unknown,
  { server, secrets }: { readonly server: ServerName; readonly secrets: readonly string[] },
): Error {
  const all = (text: string) => maskSecrets(text, secrets);
  if (error instanceof RpcError) {
    return maskRpcError(error, { all, known: (text) => maskKnown(text, secrets) });
  }
  const named = withServer(error, server);
  const text = all(named.message);
  if (text === named.message) return named;
  return new PmlError(named.code, text, { details: named.details });
}

function withServer(error: unknown, server: ServerName): PmlError {
  if (error instanceof PmlError) {
    const saysWhich = error.details['server'] !== undefined;
    if (saysWhich || !TRANSPORT_ERRORS.has(error.code)) return error;
    return new PmlError(error.code, `Server ${server}: ${error.message}`, {
      cause: error,
      details: { ...error.details, server },
    });
  }
  return new PmlError('SERVER_ERROR', `Server ${server}: ${messageOf(error)}`, {
    cause: error,
    details: { server },
  });
}

/** Why PML stops a server that has done nothing wrong. */
export function disabled(server: ServerName, why: string): PmlError {
  return new PmlError('SERVER_DISABLED', `Server ${server} was stopped: ${why}`, {
    details: { server },
  });
}

/** Why PML does not start a server that failed several times in a row. */
export function keepsFailing(
  server: ServerName,
  { pauseMs, lastError }: { readonly pauseMs: number; readonly lastError: Error | undefined },
): PmlError {
  return new PmlError(
    'SERVER_BROKEN',
    `Server ${server} keeps failing and is tried again in ${Math.ceil(pauseMs / 1000)} s. Last error: ${lastError?.message ?? 'unknown'}`,
    { details: { server, retryInMs: pauseMs } },
  );
}

/** Nothing tells this client from another between requests: it would read what the other one left. */
export function needsClient(server: ServerName): PmlError {
  return new PmlError(
    'BAD_REQUEST',
    `Server ${server} has "isolation": "per-client", and this stateless HTTP client does not say who it is. Send the header PML-Client with 32 or more random characters, the same with every request; or use a session (protocol 2025-11-25) or stdio`,
    { details: { server } },
  );
}
