/** Asks the daemon by the typed contract that the command line uses too. */
import type { ControlMethod, ControlParams, ControlResult } from '../../src/control/contract.js';

/** The daemon refused, or there was no answer. */
class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(message: string, { code, status }: { code: string; status: number }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

export async function ask<M extends ControlMethod>(
  method: M,
  params: ControlParams<M>,
  signal?: AbortSignal,
): Promise<ControlResult<M>> {
  const response = await send(method, params, signal);
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(body, response.status);
  // The daemon serves the same contract; a page of another build is replaced with it.
  return body as ControlResult<M>;
}

/** No page of another site can send it: the daemon asks for it. */
export const OWN_HEADERS = { 'content-type': 'application/json', 'x-pml-dashboard': '1' };

async function send(method: string, params: object, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(`/api/${method}`, {
      method: 'POST',
      headers: OWN_HEADERS,
      body: JSON.stringify(params),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('The daemon does not answer. The page reconnects by itself.', {
      code: 'NO_ANSWER',
      status: 0,
    });
  }
}

/** Errors come as `{error: {code, message}}`. */
function errorOf(body: unknown, status: number): ApiError {
  const error = fieldOf(body, 'error') ?? body;
  const code = fieldOf(error, 'code');
  const message = fieldOf(error, 'message');
  return new ApiError(typeof message === 'string' ? message : `The daemon answered ${status}`, {
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    status,
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
