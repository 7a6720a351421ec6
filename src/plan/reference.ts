import { PmlError, type TaskId, taskId } from '../core/index.js';

/** Points into another task's output: `t1`, `t1.items[0].name`, `t1["odd key"]`. */
export interface Reference {
  readonly text: string;
  readonly task: TaskId;
  readonly steps: readonly string[];
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The text before the first `.` or `[`: the task a reference would name. */
export function referenceHead(text: string): string {
  return /^[^.[]*/.exec(text)?.[0] ?? '';
}

/** Whether a text is written like a reference into an output; `HOME` and `list[0]` may be a shell's. */
export function isDottedPath(text: string): boolean {
  return /^[A-Za-z_][\w-]*(?:\[\d+\])*(?:\.[\w-]+(?:\[\d+\]|\["[^"]*"\])*)+$/.test(text);
}

/** `task.items[0].name`, from the task and a path in its output. */
export function referenceTo(task: TaskId, path: string): string {
  return path === '' || path.startsWith('[') ? `${task}${path}` : `${task}.${path}`;
}

export function parseReference(text: string): Reference {
  const head = referenceHead(text);
  const steps: string[] = [];
  STEP.lastIndex = head.length;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const step = STEP.exec(text);
    if (!step) throw badPath(text, at);
    steps.push(step[1] ?? step[2] ?? unquote(step[3] ?? ''));
  }
  return { text, task: taskId(head), steps };
}

function unquote(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, '$1');
}

function badPath(text: string, at: number): PmlError {
  return new PmlError(
    'REFERENCE_INVALID',
    `\`${text}\` cannot be read from \`${text.slice(at)}\` on; write \`task.key[0]["odd key"]\``,
    { details: { reference: text } },
  );
}
