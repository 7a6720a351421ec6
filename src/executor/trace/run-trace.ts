import type { ExecutionTrace } from '../../core/index.js';

/** What PML remembers of a finished run. */
export type RunTrace = Pick<ExecutionTrace, 'ok' | 'calls' | 'bindings'> &
  Required<Pick<ExecutionTrace, 'run' | 'ms' | 'decisions'>> & { readonly intent?: string };
