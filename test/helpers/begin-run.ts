import type { ApprovalMode, JsonObject, Task } from '../../src/core/index.js';
import { LiveRun, type RunOptions } from '../../src/executor/index.js';
import { type Answer, FakeTools } from './fake-tools.js';
import { MemoryRunLog } from './memory-run-log.js';
import { plainOptions, startOf } from './run-parts.js';

export interface BeginOptions extends Partial<RunOptions> {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly log?: MemoryRunLog;
  readonly approve?: ApprovalMode;
  readonly context?: JsonObject;
}

/** A run on fakes that has not started yet. */
export function newRun(
  tasks: readonly Task[],
  {
    answers,
    log = new MemoryRunLog(),
    approve = 'risky',
    context = {},
    ...rest
  }: BeginOptions = {},
) {
  const tools = new FakeTools(answers);
  const options = { ...plainOptions, ...rest };
  const live = LiveRun.begin(startOf(tasks, { approve, context }), { tools, log }, options);
  return { live, log, tools };
}

/** The same, as far as it goes by itself. */
export async function idleRun(tasks: readonly Task[], options?: BeginOptions) {
  const run = newRun(tasks, options);
  run.live.start();
  await run.live.idle();
  return run;
}
