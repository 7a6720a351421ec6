import {
  asText,
  declares,
  isJsonObject,
  type JsonObject,
  type RemoteTask,
  TASKS_EXTENSION,
} from '../../core/index.js';

/** How a server that speaks the older form of tasks marks a tool that runs only as a task. */
export function isTaskOnly(execution: unknown): boolean {
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

/** Whether a server of 2025-11-25 takes tool calls as tasks. */
export function takesTaskCalls(capabilities: JsonObject): boolean {
  const at = (value: unknown, key: string) => (isJsonObject(value) ? value[key] : undefined);
  return at(at(at(capabilities['tasks'], 'requests'), 'tools'), 'call') !== undefined;
}

/** Whether a server may answer a call with a task, if the caller declares the extension. */
export function speaksTasks(capabilities: JsonObject): boolean {
  return declares(capabilities, TASKS_EXTENSION);
}

/** Whether a call was sent in a way that a server may answer with a task. */
export function mayBeTask(
  sent: JsonObject,
  { capabilities }: { readonly capabilities: JsonObject },
): boolean {
  return sent['task'] !== undefined || declares(capabilities, TASKS_EXTENSION);
}

/** Whether a result of `tools/call` is a handle of a task, as the extension writes it. */
export function isTaskHandle(result: object): boolean {
  return 'resultType' in result && result.resultType === 'task';
}

/** The handle in an answer to `tools/call`, whatever form it has. */
export function remoteTaskIn(result: JsonObject): RemoteTask | undefined {
  if (isTaskHandle(result)) {
    const id = result['taskId'];
    return typeof id === 'string' ? { id, era: 'modern' } : undefined;
  }
  const { task, content } = result;
  const id = isJsonObject(task) && content === undefined ? task['taskId'] : undefined;
  return typeof id === 'string' ? { id, era: 'legacy' } : undefined;
}

/** What a server says about one of its tasks. */
export interface TaskReport {
  readonly status: string;
  readonly message: string | undefined;
  /** How long the server wants PML to wait before it asks again. */
  readonly pollMs: number | undefined;
  readonly inputRequests: JsonObject;
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
}

export function readReport(answer: JsonObject): TaskReport {
  const object = (value: unknown) => (isJsonObject(value) ? value : undefined);
  const poll = answer['pollIntervalMs'] ?? answer['pollInterval'];
  const message = answer['statusMessage'];
  return {
    status: asText(answer['status']),
    message: typeof message === 'string' ? message : undefined,
    pollMs: typeof poll === 'number' && poll >= 0 ? poll : undefined,
    inputRequests: object(answer['inputRequests']) ?? {},
    result: object(answer['result']),
    error: object(answer['error']),
  };
}
