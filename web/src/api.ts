import type { ControlMethod, ControlParams, ControlResult } from '../../src/control/contract.js';

/** What the daemon answered instead of data. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Asks the daemon one method of the control contract. */
export async function ask<M extends ControlMethod>(
  method: M,
  params: ControlParams<M>,
  signal?: AbortSignal,
): Promise<ControlResult<M>> {
  const response = await fetch(`/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pml-dashboard': '1' },
    body: JSON.stringify(params),
    ...(signal && { signal }),
  });
  // A parsed edge: the daemon that served this page knows the same contract.
  const answer = (await response.json()) as ControlResult<M> & { readonly error?: ApiFailure };
  if (response.ok) return answer;
  const { code = 'INTERNAL', message = response.statusText } = answer.error ?? {};
  throw new ApiError(response.status, code, message);
}

interface ApiFailure {
  readonly code?: string;
  readonly message?: string;
}
