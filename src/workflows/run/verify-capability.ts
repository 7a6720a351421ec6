import {
  type Capability,
  isJsonObject,
  type JsonObject,
  messageOf,
  parseToolId,
  PmlError,
  type RunId,
  type ToolId,
} from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';
import { capabilityEffects } from '../../tools/index.js';
import { startWorkflow } from '../serve-workflow.js';
import type { Workflows } from '../workflows.js';

/** The outcome of proving a capability again. */
export type Verified =
  /** Active before and now; its tools are those it was proven with. */
  | { readonly kind: 'active' }
  /** The cause of its quarantine is gone. */
  | { readonly kind: 'restored' }
  /** The run succeeded. */
  | { readonly kind: 'proven'; readonly run: RunId }
  /** The run failed. */
  | { readonly kind: 'failed'; readonly reason: string; readonly run?: RunId }
  | { readonly kind: 'running'; readonly run: RunId }
  /** Only a run can prove it, and the run may change something or ask: a person must decide. */
  | { readonly kind: 'needs-run'; readonly tools: readonly ToolId[]; readonly args: JsonObject }
  /** Only a run can prove it, and required arguments are missing. */
  | { readonly kind: 'needs-args'; readonly missing: readonly string[] }
  /** No run can prove it. */
  | { readonly kind: 'impossible'; readonly reason: string };

export interface VerifyOptions {
  /** Arguments in addition to its defaults. */
  readonly args?: JsonObject;
  /** Longest wait for the run, which continues after that. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

/**
 * Compares a capability with its current tools. If it is in quarantine and only reads, PML runs it:
 * a success lifts the quarantine. PML never runs a capability here that may change something.
 */
export async function verifyCapability(
  workflows: Workflows,
  name: string,
  { args = {}, patienceMs = PATIENCE_MS }: VerifyOptions = {},
): Promise<Verified> {
  const before = get(workflows, name).state;
  const unseen = await showTools(workflows, workflows.tools.capabilities.toolsOf(name));
  workflows.tools.checkLocks();
  const capability = get(workflows, name);
  if (capability.state.status === 'active') {
    return { kind: before.status === 'active' ? 'active' : 'restored' };
  }
  const decision = unseen ?? decideProof(workflows, capability, args);
  return decision ?? proveByRun(workflows, capability, { args, patienceMs });
}

/** Why a run cannot prove the capability; undefined if it can. */
function decideProof(
  workflows: Workflows,
  capability: Capability,
  args: JsonObject,
): Verified | undefined {
  const { state, current } = capability;
  if (state.status === 'disabled') return impossible(`it is disabled: ${state.reason}`);
  if (state.status === 'quarantined' && state.cause === 'contained') {
    return impossible(state.reason);
  }
  const { tools, changing } = capabilityEffects(workflows.tools, capability);
  const gone = tools.filter((tool) => !workflows.tools.lockedDefinition(tool));
  if (gone.length > 0) return impossible(`there is no tool ${gone.join(', ')}`);
  const denied = tools.filter((tool) => workflows.tools.policyOf(tool).denied !== undefined);
  if (denied.length > 0) return impossible(`${denied.join(', ')} may not be called`);
  const missing = missingArgs(current.parameters, args);
  if (missing.length > 0) return { kind: 'needs-args', missing };
  const asked = tools.filter((tool) => workflows.tools.policyOf(tool).ask !== undefined);
  const risky = [...new Set([...changing, ...asked])].toSorted();
  return risky.length > 0 ? { kind: 'needs-run', tools: risky, args } : undefined;
}

async function proveByRun(
  workflows: Workflows,
  { name }: Capability,
  { args, patienceMs }: Required<VerifyOptions>,
): Promise<Verified> {
  const live = await beginRun(workflows, { capability: name, args });
  if (!('state' in live)) return live;
  const { run } = live.state;
  if (!(await comesToRest(live, patienceMs))) return { kind: 'running', run };
  if (live.phase === 'paused') {
    // The run only reads, so aborting it loses nothing.
    await live.decide({ kind: 'abort', because: 'no user can be asked' }, 'user');
    return { kind: 'failed', run, reason: 'it asks something' };
  }
  if (get(workflows, name).state.status === 'active') return { kind: 'proven', run };
  return { kind: 'failed', run, reason: failureOf(live) };
}

/** Starts the run; a refused plan counts as a failed run. */
async function beginRun(workflows: Workflows, request: JsonObject): Promise<LiveRun | Verified> {
  try {
    const started = await startWorkflow(workflows, request, { isReadOnly: true });
    return started.kind === 'run' ? started.live : impossible('it was only planned');
  } catch (error) {
    if (error instanceof PmlError) return { kind: 'failed', reason: messageOf(error) };
    throw error;
  }
}

/** Whether the run pauses or ends within the time. */
async function comesToRest(live: LiveRun, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  try {
    return await Promise.race([live.idle().then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function failureOf({ state }: LiveRun): string {
  const failed = state.tasks.find(({ task, status }) => status === 'failed' && !task.parent);
  return failed && 'error' in failed && failed.error ? failed.error.message : 'it did not work';
}

/** Makes the servers of its tools list them; returns the reason if a server does not answer. */
async function showTools(
  workflows: Workflows,
  tools: readonly ToolId[],
): Promise<Verified | undefined> {
  await workflows.tools.catalogLoaded;
  const unlisted = () => tools.filter((tool) => workflows.tools.unlistedServer(tool) !== undefined);
  await Promise.all(unlisted().map((tool) => workflows.tools.toolListing(tool)));
  const servers = new Set(unlisted().map((tool) => parseToolId(tool).server));
  if (servers.size === 0) return undefined;
  const reasons = [...servers].map((server) => {
    const why = workflows.tools.pool.get(server).status.lastError;
    return `${server} does not show its tools${why ? `: ${workflows.mask(why)}` : ''}`;
  });
  return impossible(reasons.join('; '));
}

function missingArgs(parameters: JsonObject, args: JsonObject): readonly string[] {
  const fields = new Map(Object.entries(propertiesOf(parameters)));
  const hasDefault = (name: string) => {
    const field = fields.get(name);
    return isJsonObject(field) && field['default'] !== undefined;
  };
  return requiredOf(parameters).filter((name) => !Object.hasOwn(args, name) && !hasDefault(name));
}

function impossible(reason: string): Verified {
  return { kind: 'impossible', reason };
}

function get({ tools: { capabilities } }: Workflows, name: string): Capability {
  const capability = capabilities.get(name);
  if (capability) return capability;
  throw new PmlError('TOOL_UNKNOWN', `There is no capability ${JSON.stringify(name)}`);
}
