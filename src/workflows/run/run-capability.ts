import { createHash } from 'node:crypto';

import {
  type CapabilityStatus,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PmlError,
  type RunId,
  type RunState,
  type TaskError,
  type TaskId,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { RunTrace } from '../../executor/index.js';
import { outputValue } from '../../plan/index.js';
import { propertiesOf } from '../../schema/index.js';
import { assertCapability, capabilityTool } from '../../tools/index.js';
import type { Workflows } from '../workflows.js';

interface CapabilityCall {
  readonly run: RunId;
  readonly task: TaskId;
  readonly tool: ToolId;
  readonly signal: AbortSignal;
}

/** Runs a capability for a task: its calls are tasks of the same run, judged like all others. */
export async function callCapability(
  workflows: Workflows,
  { run, tool, ...place }: CapabilityCall,
  args: JsonObject,
): Promise<ToolResult> {
  // A run may be taken up before what is stored was read.
  await workflows.tools.toolListing(tool);
  const capability = assertCapability(workflows.tools.capabilities, tool);
  const { name, current, state } = capability;
  // After a crash the run goes on with this code, so the code must outlive the crash too.
  await workflows.tools.capabilities.saved(name);
  const began = performance.now();
  const script = {
    code: current.code,
    args: { ...defaultsOf(current.parameters), ...args },
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

/** What was known to be wrong before it was tried is most likely why it failed. */
function knownTrouble(state: CapabilityStatus): string {
  return state.status === 'quarantined' ? `\nIt was set aside before: ${state.reason}` : '';
}

/** What somebody refused, or gave up, says nothing about the code. */
function isItsFault({ code, message }: TaskError): boolean {
  return (
    code !== 'CALL_CANCELLED' && code !== 'REPLAY_DIVERGED' && !message.includes('[TOOL_DENIED]')
  );
}

/** Keeps the code of a run that worked; what speaks against that is only logged. */
export function learnFromRun(workflows: Workflows, trace: RunTrace, state: RunState): void {
  const { script, run, finished, intent = '' } = state;
  if (!script || finished?.outcome !== 'succeeded') return;
  const tasks = state.tasks.filter(({ task }) => !task.parent);
  const own = new Set(tasks.map(({ task }) => task.tool));
  const learned = workflows.tools.capabilities.learn({
    code: script.code,
    intent,
    run,
    calls: trace.calls.filter(({ tool, parent }) => parent === undefined && own.has(tool)),
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: trace.ms,
    ...(script.end?.status === 'returned' && { result: script.end.value }),
    given: tasks.flatMap((one) => (one.status === 'succeeded' ? [outputValue(one.result)] : [])),
  });
  const what =
    learned.kind === 'refused' ? learned.reason : `${learned.kind} ${learned.capability.name}`;
  workflows.log.debug('code of a run', { run, what });
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

/** The same for every execution of the same task. */
function seedOf(run: RunId, task: TaskId): number {
  return createHash('sha256').update(`${run} ${task}`).digest().readUInt32BE(0);
}
