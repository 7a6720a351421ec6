import { parseJson, PmlError } from '../../core/index.js';
import { selectPath } from '../../results/index.js';
import type { Workflows } from '../../workflows/index.js';
import type { ControlParams } from '../contract.js';
import type { KeptResultAnswer } from '../contract/runs.js';

interface KeepingDaemon {
  readonly workflows: Pick<Workflows, 'results'>;
}

/** A result that was too long for an answer, whole, or the part of it at a path. */
export async function readKeptResult(
  { workflows }: KeepingDaemon,
  { handle, path }: ControlParams<'result'>,
): Promise<KeptResultAnswer> {
  const { text, mimeType } = await workflows.results.get(handle);
  const value = parseJson(text);
  if (path !== undefined) {
    if (value !== undefined) return { handle, mimeType, value: selectPath(value, path) };
    throw new PmlError('BAD_REQUEST', `${handle} is plain text, so it has no path ${path}`);
  }
  return { handle, mimeType, ...(value === undefined ? { text } : { value }) };
}
