import type { CallOptions, JsonObject, ToolCaller, ToolResult } from '../../src/core/index.js';

export type Answer =
  | ToolResult
  | Error
  | ((options: CallOptions, args: JsonObject) => Promise<ToolResult>);

/** Answers by tool name and remembers what it was asked; an unlisted tool answers its own name. */
export class FakeTools implements ToolCaller {
  readonly calls: [tool: string, args: JsonObject][] = [];
  readonly #answers: Readonly<Record<string, Answer>>;

  constructor(answers: Readonly<Record<string, Answer>> = {}) {
    this.#answers = answers;
  }

  get called(): readonly string[] {
    return this.calls.map(([tool]) => tool.slice(tool.indexOf(':') + 1));
  }

  async call(tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    this.calls.push([tool, args]);
    options.onSent?.();
    const answer = this.#answers[tool.slice(tool.indexOf(':') + 1)] ?? text(tool);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(options, args) : answer;
  }
}

export const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });

/** Settles only when aborted, like a server that never answers. */
export const never = ({ signal }: CallOptions): Promise<never> =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Gives one answer after the other; the last one stays. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0;
  return async (options, args) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
    return typeof answer === 'function' ? answer(options, args) : answer;
  };
}
