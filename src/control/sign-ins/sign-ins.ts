import type { FlowOutcome, RemoteSignIns } from '../../auth/index.js';
import type { LoadedConfig } from '../../config/load.js';
import { isServerName, PmlError, type ServerSpec } from '../../core/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type { SignInProgress, SignInRow } from '../contract/sign-ins.js';

/** Longest time one request waits for a person; the command asks again. */
const MOST_WAIT_MS = 20_000;

interface SignedDaemon {
  readonly config: LoadedConfig;
  readonly signIns: RemoteSignIns;
  mask(text: string): string;
}

export async function beginSignIn(
  daemon: SignedDaemon,
  { server, device }: ControlParams<'sign-in-begin'>,
): Promise<ControlResult<'sign-in-begin'>> {
  const flow = await daemon.signIns.begin(specOf(daemon, server), { device: device ?? false });
  return flow.address;
}

export async function awaitSignIn(
  daemon: SignedDaemon,
  { id, waitMs }: ControlParams<'sign-in-wait'>,
): Promise<SignInProgress> {
  const flow = daemon.signIns.flow(id);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(waitMs ?? MOST_WAIT_MS, MOST_WAIT_MS));
  });
  await Promise.race([flow.done, patience]);
  clearTimeout(timer);
  return progressOf(daemon, flow.outcome);
}

export async function pasteSignIn(
  daemon: SignedDaemon,
  { id, redirected }: ControlParams<'sign-in-paste'>,
): Promise<SignInProgress> {
  return progressOf(daemon, await daemon.signIns.flow(id).paste(redirected));
}

export async function signOut(
  daemon: SignedDaemon,
  { server }: ControlParams<'sign-out'>,
): Promise<ControlResult<'sign-out'>> {
  const { why, ...answer } = await daemon.signIns.signOut(specOf(daemon, server));
  return { ...answer, ...(why !== undefined && { why: daemon.mask(why) }) };
}

export async function listSignIns({
  config,
  signIns,
}: SignedDaemon): Promise<ControlResult<'sign-ins'>> {
  const rows = [...config.servers.values()].map((spec) => rowOf(spec, signIns));
  const all = (await Promise.all(rows)).filter((row) => row !== undefined);
  return { signIns: all, place: signIns.place };
}

async function rowOf(spec: ServerSpec, signIns: RemoteSignIns): Promise<SignInRow | undefined> {
  if (spec.kind === 'stdio') return undefined;
  if (!signIns.tokensFor(spec)) return { server: spec.name, state: 'configured' };
  const { expiresAt, ...status } = await signIns.statusOf(spec);
  return {
    ...status,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function specOf({ config: { servers } }: SignedDaemon, name: string): ServerSpec {
  const spec = isServerName(name) ? servers.get(name) : undefined;
  if (spec) return spec;
  const known = [...servers.keys()].join(', ') || 'none';
  throw new PmlError('SERVER_UNKNOWN', `No server ${name} is configured. Configured: ${known}`);
}

function progressOf(daemon: SignedDaemon, outcome: FlowOutcome): SignInProgress {
  if (outcome.status !== 'failed') return outcome;
  return { status: 'failed', error: daemon.mask(outcome.error.message) };
}
