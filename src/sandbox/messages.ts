import type { SandboxLimits } from '../core/index.js';

/** Header of what is sent to a sandbox process. */
export type ToProcess =
  /** The body is the arguments. */
  | {
      readonly type: 'start';
      readonly source: string;
      readonly seed: number;
      readonly now: number;
      readonly limits: SandboxLimits;
    }
  /** The body is the value, or the error. */
  | {
      readonly type: 'reply';
      readonly id: number;
      readonly ok: boolean;
      readonly now: number;
    }
  /** The clock shows this now. There is no body. */
  | { readonly type: 'tick'; readonly now: number };

export type StartMessage = Extract<ToProcess, { type: 'start' }>;
export type ReplyMessage = Extract<ToProcess, { type: 'reply' }>;
