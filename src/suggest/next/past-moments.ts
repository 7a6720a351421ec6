import type { ExecutionTrace } from '../../core/index.js';
import { isOwnStep } from '../past/past-plan.js';
import { type SessionMoment, momentText } from './moment.js';

/**
 * What is known of a past execution after each of its steps; repetitions right after each other are
 * one step. Results and searches are not kept with an execution, so they are missing here.
 */
export function pastMoments({ calls }: Pick<ExecutionTrace, 'calls'>): readonly SessionMoment[] {
  const own = calls.filter(isOwnStep);
  return own
    .filter(({ tool }, place) => tool !== own[place + 1]?.tool)
    .map(({ ok, args, errorMessage }) => ({
      hasFailed: !ok,
      ...(args && { args: momentText(args) }),
      ...(errorMessage && { result: momentText(errorMessage) }),
    }));
}
