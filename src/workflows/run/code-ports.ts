import { type ParsedCode, parseCode, prepareCode } from '../../code/index.js';
import {
  BUILT_IN_SERVER,
  messageOf,
  parseToolId,
  PmlError,
  type RunScript,
  type Sandbox,
  type SandboxLimits,
  type TaskError,
} from '../../core/index.js';
import { LOAD_TOOL, type ReadyCode, type ScriptPorts } from '../../runs/index.js';
import { refuseHeld } from '../../tools/index.js';
import { checkArgs, describeViolations } from '../../validation/index.js';
import { refusedGuesses } from '../plan/doubtful-guesses.js';
import { fillExamples } from '../plan/with-examples.js';
import type { Workflows } from '../workflows.js';
import { ofRun } from './of-run.js';

/** The sandbox of scripts and the calls that they may make. */
export function codePorts(workflows: Workflows, sandbox: Sandbox): ScriptPorts {
  return {
    sandbox,
    limits: (script) => limitsOf(workflows, script),
    prepare: (code) => readyCode(parseCode(code)),
    refuse: (call, { profile, owner, ...options }) =>
      refuseCall(ofRun(workflows, profile, owner), call, options),
    fill: (call) => fillExamples(workflows, call),
  };
}

function limitsOf({ tools: { settings } }: Workflows, { timeoutMs }: RunScript): SandboxLimits {
  const { timeoutMs: most, cpuMs, memoryBytes, calls, outputBytes, logLines } = settings.code;
  return {
    wallMs: Math.min(timeoutMs ?? most, most),
    cpuMs,
    memoryBytes,
    calls,
    outputBytes,
    logLines,
  };
}

/** The code that the sandbox executes, and how its places map back to the agent's text. */
export function readyCode(code: ParsedCode): ReadyCode {
  const { source, sites, locate } = prepareCode(code);
  const lines = code.text.split(/\r\n|[\n\r\u2028\u2029]/);
  return {
    source,
    operations: sites.map(({ operation, span }) => ({ operation, line: span.line })),
    locate(line, column) {
      const place = locate(line, column);
      return { ...place, text: lines[place.line - 1] ?? '' };
    },
  };
}

type Call = Parameters<ScriptPorts['refuse']>[0];

/** The error for a call that cannot or must not be made; the script gets it before any effect. */
async function refuseCall(
  workflows: Workflows,
  { tool, args }: Call,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Promise<TaskError | undefined> {
  try {
    const { server } = parseToolId(tool);
    if (server === BUILT_IN_SERVER) {
      return tool === LOAD_TOOL ? undefined : { code: 'TOOL_UNKNOWN', message: `No tool ${tool}` };
    }
    if (workflows.tools.unlistedServer(tool) !== undefined) await workflows.tools.toolListing(tool);
    workflows.tools.assertTool(tool);
  } catch (error) {
    const code = error instanceof PmlError ? error.code : 'TOOL_UNKNOWN';
    return { code, message: messageOf(error) };
  }
  const { denied } = workflows.tools.admit(tool, { isReadOnly });
  if (denied !== undefined) return { code: 'TOOL_DENIED', message: denied };
  const schema = workflows.tools.definitionOf(tool)?.inputSchema;
  const violations = schema ? checkArgs(schema, args, () => false) : [];
  const held = refuseHeld(workflows.tools.catalog, tool, args);
  const wrong = [
    ...(held === undefined ? [] : [`args.${held}`]),
    ...(violations.length > 0 ? [describeViolations(violations, 'args')] : []),
  ];
  const problems = wrong.length > 0 ? wrong : unwantedGuesses(workflows, { tool, args });
  if (problems.length === 0) return undefined;
  return { code: 'ARGUMENTS_INVALID', message: `${tool}: ${problems.join('\n')}` };
}

/** The user may forbid calls with guessed values. */
function unwantedGuesses(workflows: Workflows, call: Call): readonly string[] {
  if (workflows.tools.settings.workflows.guesses !== 'refuse') return [];
  return refusedGuesses(fillExamples(workflows, call));
}
