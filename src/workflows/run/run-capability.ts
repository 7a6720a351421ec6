import { createHash } from 'node:crypto';

import {
  type Capability,
  type CapabilityStatus,
  isCertain,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PmlError,
  type RunId,
  type RunState,
  type TaskError,
  type TaskId,
  type TaskState,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import { confirmedGuesses, type RunTrace } from '../../executor/index.js';
import { outputValue } from '../../plan/index.js';
import { shortLine } from '../../results/index.js';
import { propertiesOf } from '../../schema/index.js';
import { assertCapability, capabilityEffects, capabilityTool } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Workflows } from '../workflows.js';
import { invocationsOf } from './invocations-of.js';

const SHOWN_CHARACTERS = 60;

interface CapabilityCall {
  readonly run: RunId;
  readonly task: TaskId;
  readonly tool: ToolId;
  readonly signal: AbortSignal;
}

/** Runs a capability for a task: its calls are tasks of the same run, under the same rules. */
export async function callCapability(
  workflows: Workflows,
  { run, tool, ...place }: CapabilityCall,
  args: JsonObject,
): Promise<ToolResult> {
  // A run may resume before PML has read the stored capabilities.
  await workflows.tools.toolListing(tool);
  const capability = assertCapability(workflows.tools.capabilities, tool);
  const { name, current, state } = capability;
  const examples = defaultsOf(current.parameters);
  assertPlannedFor(workflows, capability, missingIn(args, examples));
  // After a crash the run resumes with this code, so the code must survive the crash too.
  await workflows.tools.capabilities.saved(name);
  const began = performance.now();
  const script = {
    code: current.code,
    // The task has the values that PML filled in. An older run or code version may lack some.
    args: { ...examples, ...args },
    seed: seedOf(run, place.task),
  };
  const end = await workflows.runs.runNested(run, script, place);
  const ok = end.status === 'returned';
  if (ok || isItsFault(end.error)) {
    const use = { ok, ms: performance.now() - began, at: new Date() };
    workflows.tools.capabilities.used(name, use, (id) => workflows.tools.lockedDefinition(id));
  }
  if (ok) {
    const result = resultOf(end.value);
    workflows.planning.observed(capabilityTool(capability), result);
    return result;
  }
  throw new PmlError(end.error.code, `${end.error.message}${knownTrouble(state)}`);
}

function missingIn(args: JsonObject, examples: JsonObject): readonly [string, JsonValue][] {
  return Object.entries(examples).filter(([param]) => !Object.hasOwn(args, param));
}

/**
 * Throws if the code takes values that the task lacks because the capability changed after
 * planning: no user has seen the examples of the new code.
 */
function assertPlannedFor(
  { tools }: Workflows,
  capability: Capability,
  missing: readonly [string, JsonValue][],
): void {
  if (missing.length === 0 || tools.settings.workflows.guesses === 'show') return;
  if (capabilityEffects(tools, capability).isReadOnly) return;
  const named = missing.map(([param, example]) => `args.${param} (learned with ${short(example)})`);
  throw new PmlError(
    'ARGUMENTS_INVALID',
    `cap:${capability.name} changed after this task was planned and takes ${named.join(', ')} now. It was not run: plan it again, and give these values`,
    { details: { missing: missing.map(([param]) => param) } },
  );
}

function short(value: JsonValue): string {
  return shortLine(JSON.stringify(value), SHOWN_CHARACTERS);
}

/** If the capability was in quarantine, that cause most likely explains the failure. */
function knownTrouble(state: CapabilityStatus): string {
  return state.status === 'quarantined' ? `\nIt was quarantined before: ${state.reason}` : '';
}

/** A call that a user refused or cancelled says nothing about the code. */
function isItsFault({ code, message }: TaskError): boolean {
  return (
    code !== 'CALL_CANCELLED' && code !== 'REPLAY_DIVERGED' && !message.includes('[TOOL_DENIED]')
  );
}

/** Learns the code of a run that succeeded; reasons against that are only logged. */
export function learnFromRun(workflows: Workflows, trace: RunTrace, state: RunState): void {
  const { script, run, finished, intent = '' } = state;
  if (!script || finished?.outcome !== 'completed') return;
  const tasks = state.tasks.filter(({ task }) => !task.parent);
  if (tasks.some((one) => hasUnconfirmed(workflows, one))) {
    workflows.log.debug('code of a run', {
      run,
      what: 'not learned: PML guessed some of its values',
    });
    return;
  }
  const own = new Set(tasks.map(({ task }) => task.tool));
  const learned = workflows.tools.capabilities.learn({
    code: script.code,
    intent,
    run,
    calls: trace.calls.filter(({ tool, parent }) => parent === undefined && own.has(tool)),
    invocations: invocationsOf(trace.calls),
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: trace.ms,
    ...(script.end?.status === 'returned' && { result: script.end.value }),
    given: tasks.flatMap((one) => (one.status === 'completed' ? [outputValue(one.result)] : [])),
  });
  const what =
    learned.kind === 'refused' ? learned.reason : `${learned.kind} ${learned.capability.name}`;
  workflows.log.debug('code of a run', { run, what });
}

/**
 * PML does not learn from values that it guessed and no client confirmed. Settings of a called
 * capability do not count: they belong to that capability, not to the request.
 */
function hasUnconfirmed(workflows: Workflows, one: TaskState): boolean {
  const { tool } = one.task;
  const guesses = Object.entries(confirmedGuesses(one) ?? {});
  const isOpen = ([param, guess]: (typeof guesses)[number]) =>
    !guess.confirmed &&
    !isCertain(guess) &&
    !(guess.source === 'lifted default' && isSettingOf(workflows, tool, param));
  return guesses.some(isOpen);
}

function isSettingOf(workflows: Workflows, tool: ToolId, param: string): boolean {
  const schema = plannablesOf(workflows, [tool]).get(tool)?.inputSchema;
  return schema !== undefined && Object.hasOwn(defaultsOf(schema), param);
}

function resultOf(value: JsonValue): ToolResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { content: [{ type: 'text', text }], structuredContent: value };
}

function defaultsOf(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(propertiesOf(parameters)).flatMap(([name, field]) =>
      isJsonObject(field) && field['default'] !== undefined ? [[name, field['default']]] : [],
    ),
  );
}

/** The same seed for every execution of the same task. */
function seedOf(run: RunId, task: TaskId): number {
  return createHash('sha256').update(`${run} ${task}`).digest().readUInt32BE(0);
}
