import type { TaskError } from '../core/index.js';

/** What `pml_read` says of a tool that may change something. */
export function notReadOnly(tool: string): TaskError {
  const message = `${tool} may change something and is not reachable from pml_read; use pml_execute_workflow or pml_execute_code`;
  return { code: 'TOOL_DENIED', message };
}
