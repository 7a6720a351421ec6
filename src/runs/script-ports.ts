import type {
  Principal,
  RunScript,
  Sandbox,
  SandboxLimits,
  Task,
  TaskError,
} from '../core/index.js';

/** Code made ready for the sandbox. */
export interface ReadyCode {
  readonly source: string;
  readonly operations: readonly { readonly operation: string; readonly line: number }[];
  /** Where a place in `source` stands in the agent's own text, with that line of it. */
  readonly locate: (line: number, column: number) => { line: number; column: number; text: string };
}

export interface ScriptPorts {
  readonly sandbox: Sandbox;
  readonly limits: (script: RunScript) => SandboxLimits;
  /** Throws `CODE_INVALID`. */
  readonly prepare: (code: string) => ReadyCode;
  /** Why a call may not be made at all: an unknown tool, wrong arguments, a rule of the user. */
  readonly refuse: (
    call: Pick<Task, 'tool' | 'args'>,
    options: {
      readonly isReadOnly: boolean;
      readonly profile?: string | undefined;
      readonly owner?: Principal | undefined;
    },
  ) => Promise<TaskError | undefined>;
  /** A call that may be made, with what PML fills in: `guessed` names that. */
  readonly fill: (call: Task) => Task;
}
