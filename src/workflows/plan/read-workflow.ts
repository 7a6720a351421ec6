import * as z from 'zod';

import { type JsonObject, PmlError } from '../../core/index.js';
import { forgiveInput } from '../../tools/index.js';

export const MOST_PLANNED_CHARACTERS = 4_000;
const MOST_MESSAGE = 1_000;
const MOST_WAIT_MS = 3_600_000;

const Shared = {
  answer_within_ms: z.int().min(0).max(MOST_WAIT_MS).optional(),
  context: z.record(z.string(), z.json()).optional(),
};

const Workflow = z.strictObject({
  intent: z.string().max(MOST_PLANNED_CHARACTERS).optional(),
  // Read by the planner, which names every problem with its place.
  tasks: z.unknown().optional(),
  /** Runs it alone, with `args`. */
  capability: z.string().optional(),
  args: z.record(z.string(), z.json()).optional(),
  mode: z.enum(['auto', 'suggest', 'run', 'dry_run']).optional(),
  approve: z.enum(['risky', 'per_layer', 'never']).optional(),
  /** For an answer with a plan: `full` adds the reasons, scores and other tools. */
  detail: z.enum(['short', 'full']).optional(),
  ...Shared,
});

const Continue = z.strictObject({
  run: z.string().optional(),
  decision: z
    .enum(['approve', 'reject', 'retry', 'skip', 'replan', 'inject', 'abort', 'wait'])
    .optional(),
  tasks: z.array(z.unknown().transform(readTaskText)).optional(),
  /** Approves every further call of the tools of these tasks in this run, too. */
  all_calls: z.boolean().optional(),
  requirement: z.string().min(1).max(MOST_PLANNED_CHARACTERS).optional(),
  message: z.string().max(MOST_MESSAGE).optional(),
  /** The former name of `message`, from when only a rejection and an abort could have one. */
  because: z.string().max(MOST_MESSAGE).optional(),
  result: z.json().optional(),
  ...Shared,
});

/** The schema offers texts: an id, or a whole task to inject as JSON. Objects are taken too. */
function readTaskText(task: unknown): unknown {
  if (typeof task !== 'string' || !task.trimStart().startsWith('{')) return task;
  try {
    return JSON.parse(task) as unknown;
  } catch {
    return task; // No id starts like this: the error about it shows the text.
  }
}

export type WorkflowRequest = z.infer<typeof Workflow>;
export type ContinueRequest = z.infer<typeof Continue>;

const FORGIVEN = {
  aliases: { intent: ['query', 'request'], tasks: ['steps'] },
  numbers: ['answer_within_ms'],
  json: ['tasks', 'args', 'context'],
};

export function readWorkflow(args: JsonObject): WorkflowRequest {
  if (isPlain(args)) return args;
  const request = read(Workflow, forgiveInput(args, FORGIVEN), 'PLAN_INVALID', WORKFLOW_SHAPE);
  const { capability, tasks, args: given = {} } = request;
  if (capability === undefined && tasks !== undefined) return request;
  if (capability !== undefined && tasks === undefined) {
    return { ...request, tasks: [{ tool: `cap:${capability.replace(/^cap:/, '')}`, args: given }] };
  }
  // An intent alone asks for a plan.
  if (capability === undefined && request.intent !== undefined) return request;
  throw new PmlError(
    'PLAN_INVALID',
    `tasks is missing (or "capability", not both; or "intent" alone, for a plan). ${WORKFLOW_SHAPE}`,
  );
}

/** Most requests: a list of tasks and nothing else. Nothing of it needs to be read or forgiven. */
function isPlain(args: JsonObject): args is JsonObject & WorkflowRequest {
  return Array.isArray(args['tasks']) && Object.keys(args).length === 1;
}

export function readContinue(args: JsonObject): ContinueRequest {
  return read(
    Continue,
    forgiveInput(args, { ...FORGIVEN, aliases: {} }),
    'BAD_REQUEST',
    CONTINUE_SHAPE,
  );
}

const WORKFLOW_SHAPE =
  'pml_execute_workflow takes {"tasks":[{"id":"a","tool":"server:tool","args":{}}]} or {"capability":"name","args":{}} or {"intent":"what is wanted"}, with "mode", "approve", "detail", "answer_within_ms", "context"';
const CONTINUE_SHAPE =
  'pml_continue takes {"run":"run_…","decision":"approve|reject|retry|skip|replan|inject|abort|wait"}, "tasks", "all_calls", "requirement", "message", "result", "answer_within_ms", "context"';

function read<T>(
  schema: z.ZodType<T>,
  args: JsonObject,
  code: 'BAD_REQUEST' | 'PLAN_INVALID',
  shape: string,
): T {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `Unknown: ${issue.keys.join(', ')}`
      : `${issue.path.join('.') || 'arguments'}: ${issue.message}`,
  );
  throw new PmlError(code, `${problems.join('; ')}. ${shape}`);
}
