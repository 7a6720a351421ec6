/** What the daemon and the process that learns say to each other. */
import type { VectorLesson, VectorRequest, VectorTask } from '../attention/index.js';

export type ToLearning =
  | {
      readonly kind: 'begin';
      readonly task: Omit<VectorTask, 'requests'>;
      readonly limits: LearningLimits;
    }
  | { readonly kind: 'requests'; readonly requests: readonly VectorRequest[] }
  | { readonly kind: 'learn' };

export type FromLearning =
  | { readonly kind: 'ready' }
  | { readonly kind: 'learned'; readonly lesson: VectorLesson; readonly cpuMs: number }
  | { readonly kind: 'failed'; readonly message: string };

/** What the process may take. It ends itself when it takes more. */
export interface LearningLimits {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Signals by which the process ends itself: they say which limit it reached. */
export const TOOK_TOO_LONG = 'SIGVTALRM';
export const TOOK_TOO_MUCH = 'SIGTERM';
