import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PmlError,
  type RunState,
  type SandboxLine,
  type TaskState,
  THE_USER,
  type ToolId,
  type ToolResult,
  unreachable,
} from '../../core/index.js';
import {
  confirmedGuesses,
  type RejectedTask,
  rejectedTasks,
  type RunPhase,
  type RunStatus,
  type RunSummary,
  summarizeRun,
} from '../../executor/index.js';
import { outputValue } from '../../plan/index.js';
import {
  bytesOf,
  type KeptResults,
  type ResultShelf,
  limitResult,
  previewOf,
  type ResultLimits,
} from '../../results/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import { openTasks } from '../approve/open-tasks.js';
import { summarizeProgress } from '../approve/run-progress.js';
import { resolvedOf } from '../approve/run-question.js';
import { userCommand } from '../approve/user-first.js';
import { FILLED_IN } from '../plan/doubtful-guesses.js';
import { guessLines } from '../plan/guess-lines.js';
import { propertyHint } from './property-hint.js';

/** A shorter preview would be useless. */
const LEAST_BYTES = 200;
/** How many of the last messages about a run the answer shows. */
const SHOWN_MESSAGES = 5;

/** The run that an answer describes, active or finished. */
export interface AnsweredRun {
  readonly state: RunState;
  readonly phase: RunPhase;
  readonly broken?: PmlError | undefined;
}

/** Who has to decide about the run. */
export interface WhoDecides {
  /** Whether the user sees the question right now. */
  readonly isUserAsked: boolean;
  /** Whether only a person may approve a call of the tool. */
  readonly needsPerson: (tool: ToolId) => boolean;
  /** Whether the run paused only because its agent wants to decide itself. */
  readonly isAgentsTurn?: boolean;
}

const NO_RULE: WhoDecides = { isUserAsked: false, needsPerson: () => false };

/** What an answer needs besides the run: its size limits, and the store for long results. */
interface AnswerParts {
  readonly tools: Pick<ToolDirectory, 'settings'>;
  readonly results: KeptResults;
}

/**
 * The answer about a run: one JSON text with its status, its questions, and results by task, then
 * all content that is not text (pictures, links), unchanged.
 */
export function runAnswer(
  parts: AnswerParts,
  { state, phase, broken }: AnsweredRun,
  who = NO_RULE,
): ToolResult {
  if (state.script) return scriptAnswer(parts, { state, phase, broken }, who);
  const { status, run, tasks: all, messages } = summarizeRun(state, phase);
  // Without the calls inside capabilities: the client did not ask for them.
  const tasks = all.filter(({ task }) => task.parent === undefined);
  const fit = shareOf(
    parts.tools.settings.limits,
    tasks.length,
    parts.results.of(state.owner ?? THE_USER),
  );
  const described = tasks.map((one) => [one.task.id, describeTask(one, fit)] as const);
  const isPaused = status === 'needs_approval' || status === 'needs_decision';
  const answer: JsonObject = {
    status,
    run,
    ...told(state, { status, messages }),
    ...(isPaused && { asks: openTasks(state).map((one) => question(state, one, { fit, who })) }),
    ...hint(state, status, { broken, who }),
    ...filledIn(all),
    tasks: Object.fromEntries(described),
  };
  return {
    content: [
      { type: 'text', text: JSON.stringify(answer) },
      ...tasks.flatMap((one) => mediaOf(one, fit)),
    ],
    structuredContent: answer,
    ...(isBad(status) && { isError: true }),
  };
}

/**
 * The values that PML filled in, one line each, without those that the agent saw in a plan and
 * sent itself. A call of a script is named by its tool, because the agent does not know its id.
 */
export function filledIn(
  tasks: readonly TaskState[],
  { isScript = false } = {},
): { readonly filled?: readonly string[] } {
  const lines = tasks.flatMap((one) => {
    const guessed = confirmedGuesses(one);
    if (!guessed) return [];
    const own = Object.entries(guessed).filter(([, { confirmed }]) => confirmed !== 'seen');
    const { id, tool, args, parent } = one.task;
    const name = isScript || parent !== undefined ? tool : id;
    return guessLines([{ id: name, args, guessed: Object.fromEntries(own) }]);
  });
  return lines.length > 0 ? { filled: [...new Set(lines)] } : {};
}

/** The answer of a script: its result and output, and only those calls that need a decision. */
function scriptAnswer(
  parts: AnswerParts,
  { state, phase, broken }: AnsweredRun,
  who: WhoDecides,
): ToolResult {
  const { status, run, tasks, messages } = summarizeRun(state, phase);
  const fit = shareOf(parts.tools.settings.limits, 1, parts.results.of(state.owner ?? THE_USER));
  const isPaused = status === 'needs_approval' || status === 'needs_decision';
  const { end, logs = [] } = state.script ?? {};
  const answer: JsonObject = {
    status,
    run,
    ...told(state, { status, messages }),
    ...(isPaused && { asks: openTasks(state).map((one) => question(state, one, { fit, who })) }),
    ...hint(state, status, { broken, who }),
    ...(end?.status === 'returned' && { result: fitValue(end.value, fit) }),
    ...(end?.status === 'failed' && {
      error: { ...end.error },
      ...hintAt(state, end.error.message),
    }),
    ...(logs.length > 0 && { logs: fitValue(logs.map(lineOf).join('\n'), fit) }),
    ...filledIn(tasks, { isScript: true }),
    calls: tasks.length,
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
    ...(isBad(status) && { isError: true }),
  };
}

/** The existing properties of results, for a script that read a missing one. */
function hintAt({ script, tasks }: RunState, message: string): JsonObject {
  const calls = tasks.flatMap((one) =>
    one.status === 'completed' && one.task.parent === undefined
      ? [{ tool: one.task.tool, value: outputValue(one.result) }]
      : [],
  );
  const hint = script && propertyHint(script.code, message, calls);
  return hint === undefined ? {} : { hint };
}

const lineOf = ({ level, text }: SandboxLine): string =>
  level === 'info' ? text : `[${level}] ${text}`;

type Fit = ResultLimits & { readonly kept: ResultShelf };

/** The limits per value, so that all values together stay near the limit of one result. */
export function shareOf(limits: ResultLimits, count: number, kept: ResultShelf): Fit {
  const share = Math.max(LEAST_BYTES, limits.resultBytes / Math.max(1, count));
  return { kept, resultBytes: share, previewBytes: Math.min(limits.previewBytes, share) };
}

/** The value, or its beginning and a handle to read the rest. */
export function fitValue(value: JsonValue, { kept, ...limits }: Fit): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return bytesOf(text) <= limits.resultBytes ? value : previewOf(text, kept, limits).structured;
}

function describeTask(one: TaskState, fit: Fit): JsonObject {
  switch (one.status) {
    case 'completed':
      return { status: one.status, result: fitted(one.result, fit) };
    case 'failed': {
      const attempts = one.attempts > 1 ? { attempts: one.attempts } : {};
      // The message already contains the error text of the tool.
      const hasMore = one.result && one.error.code === 'OUTPUT_INVALID';
      const result = hasMore && one.result ? { result: fitted(one.result, fit) } : {};
      return { status: 'failed', error: { ...one.error }, ...attempts, ...result };
    }
    case 'skipped':
    case 'needs_approval':
    case 'in_doubt':
      return { status: one.status, because: one.because };
    case 'waiting':
    case 'running':
      return { status: one.status };
    default:
      return unreachable(one);
  }
}

function question(
  state: RunState,
  one: TaskState,
  { fit, who }: { readonly fit: Fit; readonly who: WhoDecides },
): JsonObject {
  const { id, tool } = one.task;
  const call = { task: id, tool, args: fitValue(resolvedOf(state, one.task), fit) };
  if (who.isUserAsked || who.needsPerson(tool)) {
    const why = 'because' in one ? one.because : '';
    return { ...call, why, by: 'person', decisions: ['wait', 'abort'] };
  }
  switch (one.status) {
    case 'in_doubt':
      return {
        ...call,
        why: `may or may not have been carried out: ${one.because}`,
        decisions: ['retry', 'skip', 'abort'],
      };
    case 'failed':
      return { ...call, why: one.error.message, decisions: ['retry', 'skip', 'replan', 'abort'] };
    default:
      return {
        ...call,
        why: one.status === 'needs_approval' ? one.because : '',
        decisions: ['approve', 'reject', 'abort'],
      };
  }
}

/** The summary of a run that needs a decision or was rejected, and the last messages. */
function told(
  state: RunState,
  { status, messages }: Pick<RunSummary, 'status' | 'messages'>,
): JsonObject {
  const isTold =
    status === 'needs_approval' || status === 'needs_decision' || status === 'rejected';
  const summary = isTold ? summarizeProgress(state) : '';
  const said = messages.slice(-SHOWN_MESSAGES).map(({ by = 'user', text }) => ({ by, text }));
  return {
    ...(summary !== '' && { summary }),
    ...(status === 'rejected' && { rejected: rejectedTasks(state).map(describeRejected) }),
    ...(said.length > 0 && { messages: said }),
  };
}

function describeRejected({ task, because, rejectedBy = 'user' }: RejectedTask): JsonObject {
  return { task: task.id, tool: task.tool, by: rejectedBy, why: because };
}

function isBad(status: RunStatus): boolean {
  return status === 'failed' || status === 'aborted' || status === 'damaged';
}

function hint(
  state: RunState,
  status: RunStatus,
  { broken, who }: { readonly broken: PmlError | undefined; readonly who: WhoDecides },
): JsonObject {
  if (broken && status === 'damaged') {
    return {
      error: { code: broken.code, message: broken.message },
      next: 'Tell the user. Nothing goes on by itself; pml_continue with decision "abort" ends it.',
    };
  }
  if (broken) {
    const error = { code: broken.code, message: broken.message };
    if (broken.code === 'RUN_FAILED') return { error };
    return {
      error,
      next: 'Nothing more was started. pml_continue with decision "wait" goes on once the journal can be written; "abort" gives up.',
    };
  }
  switch (status) {
    case 'running':
      return { next: 'Still running. Collect it with pml_continue {run, decision: "wait"}.' };
    case 'needs_approval':
    case 'needs_decision':
      return { next: nextStep(state, who) };
    default:
      return {};
  }
}

const DECIDE = 'pml_continue {run, decision, tasks?, message?}';
/** Shown only if the same tool may be called again. */
const ALL_CALLS =
  ' With "all_calls":true, approve covers every further call of these tools in this run.';

function nextStep(state: RunState, { isUserAsked, needsPerson, isAgentsTurn }: WhoDecides): string {
  if (isUserAsked) {
    return 'The user is being asked and decides. Get the answer with pml_continue {run, decision: "wait"}.';
  }
  if (openTasks(state).some(({ task }) => needsPerson(task.tool))) {
    return `Only the user may approve this. Ask the user to run: ${userCommand(state)}. Then get the answer with pml_continue {run, decision: "wait"}.`;
  }
  const isAboutGuesses = (one: TaskState) =>
    one.status === 'needs_approval' && one.because.startsWith(FILLED_IN);
  if (openTasks(state).every(isAboutGuesses)) {
    return 'Check the values that PML filled in. If they are what is meant, pml_continue {run, decision: "approve"}; if not, "reject" and run the task again with the values given.';
  }
  const more = mayCallAgain(state) ? ALL_CALLS : '';
  if (isAgentsTurn) return `Your turn: answer with ${DECIDE}.${more}`;
  return `Ask the user, then answer with ${DECIDE}.${more}`;
}

/** Whether the run may ask again about the same tool: a script may, or waiting tasks. */
function mayCallAgain(state: RunState): boolean {
  if (state.script) return true;
  const asked = new Set(openTasks(state).map(({ task }) => task.tool));
  return state.tasks.some(({ task, status }) => status === 'waiting' && asked.has(task.tool));
}

/** An agent may ask for a run repeatedly: PML keeps each long result only once. */
const SHORTENED = new WeakMap<ToolResult, { readonly bytes: number; readonly shown: JsonValue }>();

function fitted(result: ToolResult, fit: Fit): JsonValue {
  const known = SHORTENED.get(result);
  if (known?.bytes === fit.resultBytes && isKept(known.shown, fit)) return known.shown;
  const content = result.content.filter((block) => !isMedia(block));
  const value = outputValue({ ...result, content });
  const shown = fitValue(value, fit);
  if (shown !== value) SHORTENED.set(result, { bytes: fit.resultBytes, shown });
  return shown;
}

function isKept(preview: JsonValue, { kept }: Fit): boolean {
  const handle = isJsonObject(preview) ? preview['result'] : undefined;
  return typeof handle === 'string' && kept.isInMemory(handle);
}

/** The blocks that are not text; among them may be text resources. */
function mediaOf(task: TaskState, { kept, ...limits }: Fit): readonly JsonObject[] {
  const content = task.status === 'completed' ? task.result.content.filter(isMedia) : [];
  return content.length === 0 ? content : limitResult({ content }, kept, limits).content;
}

function isMedia(block: JsonObject): boolean {
  return block['type'] !== 'text';
}
