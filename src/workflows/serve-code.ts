import { randomInt } from 'node:crypto';

import * as z from 'zod';

import { parseCode } from '../code/index.js';
import {
  type ApprovalMode,
  type JsonObject,
  PmlError,
  THE_USER,
  type ToolResult,
} from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import { takeIntoArgs } from '../results/index.js';
import { forgiveInput, type RequestContext, withoutFence } from '../tools/index.js';
import { describeCode, checkEffects } from './plan/code-effects.js';
import { MOST_PLANNED_CHARACTERS } from './plan/read-workflow.js';
import { requestedApproval } from './plan/requested-approval.js';
import { readyCode } from './run/code-ports.js';
import { ownerOf } from './run/run-owner.js';
import { followRun } from './serve-workflow.js';
import type { Workflows } from './workflows.js';

const MOST_CODE_CHARACTERS = 200_000;
const MOST_MS = 24 * 3_600_000;
const SEEDS = 2 ** 32;

const FORGIVEN = {
  aliases: { code: ['script', 'source'], intent: ['query', 'request'] },
  numbers: ['timeout_ms', 'answer_within_ms'],
};

const Code = z.strictObject({
  code: z.string().min(1).max(MOST_CODE_CHARACTERS),
  intent: z.string().max(MOST_PLANNED_CHARACTERS).optional(),
  args: z.json().optional(),
  timeout_ms: z.int().positive().max(MOST_MS).optional(),
  mode: z.enum(['run', 'dry_run']).optional(),
  approve: z.enum(['risky', 'per_layer', 'never']).optional(),
  answer_within_ms: z.int().min(0).max(MOST_MS).optional(),
});

/** `pml_execute_code`, and `pml_read` with code: a script over the tools, in one call. */
export async function serveCode(
  workflows: Workflows,
  args: JsonObject,
  context: RequestContext,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Promise<ToolResult> {
  const started = await startCode(workflows, args, { context, isReadOnly });
  if (started.kind === 'plan') return started.answer;
  return followRun(workflows, started.live, context, started.answerWithinMs);
}

export interface StartCodeOptions {
  readonly isReadOnly: boolean;
  /** The client that asks; missing for a command of the user. */
  readonly context?: RequestContext;
  /** What the user said, whatever the configuration says. */
  readonly approve?: ApprovalMode;
}

type StartedCode =
  | {
      readonly kind: 'run';
      readonly live: LiveRun;
      readonly answerWithinMs: number | undefined;
    }
  | { readonly kind: 'plan'; readonly answer: ToolResult };

/** Starts a script and waits for nothing; a dry run says what the script can reach. */
export async function startCode(
  workflows: Workflows,
  args: JsonObject,
  { isReadOnly, context, approve: decided }: StartCodeOptions,
): Promise<StartedCode> {
  const request = readCode(args);
  await workflows.tools.catalogLoaded;
  const { code } = request;
  const configured = workflows.tools.settings.workflows.approve;
  const approve = decided ?? requestedApproval(configured, request.approve);
  // Both throw with the agent's own line before anything is begun.
  const parsed = parseCode(code);
  const ready = readyCode(parsed);
  const effects = await checkEffects(workflows, parsed, { isReadOnly });
  const given = await takeIntoArgs(
    request.args ?? {},
    workflows.results.of(context?.caller.principal ?? THE_USER),
  );
  if (request.mode === 'dry_run') {
    return { kind: 'plan', answer: describeCode(workflows, effects, approve) };
  }
  context?.signal.throwIfAborted();
  const intent = request.intent?.trim();
  const live = workflows.runs.begin({
    tasks: [],
    approve,
    context: {},
    ...(intent && { intent }),
    script: {
      code,
      args: given,
      seed: randomInt(SEEDS),
      ...(request.timeout_ms !== undefined && { timeoutMs: request.timeout_ms }),
    },
    ready,
    ...(isReadOnly && { isReadOnly }),
    ...(context && ownerOf(context.caller)),
    // What can only read is not worth waiting for the disk.
    isDurable: !effects.isHarmless,
  });
  if (context) workflows.clients.attach(live.state.run, context);
  workflows.runs.start(live);
  return { kind: 'run', live, answerWithinMs: request.answer_within_ms };
}

function readCode(args: JsonObject): z.infer<typeof Code> {
  const parsed = Code.safeParse(forgiveInput(args, FORGIVEN));
  if (parsed.success) return { ...parsed.data, code: withoutFence(parsed.data.code) };
  const problems = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `Unknown: ${issue.keys.join(', ')}`
      : `${issue.path.join('.') || 'arguments'}: ${issue.message}`,
  );
  const shape = '{"code":"const r = await mcp.server.tool({…}); return r.items.length"}';
  throw new PmlError('BAD_REQUEST', `${problems.join('; ')}. It takes ${shape}, "args", "intent"`);
}
