import {
  BUILT_IN_SERVER,
  isCapability,
  type JsonObject,
  type Mask,
  matchGlobs,
  parseToolId,
  type SpeculationSettings,
  type ToolAnnotations,
  type ToolId,
  type ToolStatus,
} from '../../core/index.js';
import { holdsSecret } from './secret-args.js';

/** What is known of a tool that might be called ahead, right now. */
export interface AheadTool {
  readonly status: ToolStatus;
  /** Of its definition. */
  readonly hash: string;
  readonly annotations: ToolAnnotations;
  /** What the user's rules say of a plain call. */
  readonly admission: {
    readonly denied?: string | undefined;
    readonly ask?: object | undefined;
    readonly isReading: boolean;
  };
  readonly isolation: 'shared' | 'per-client';
  /** Its server runs, and PML knows its tools as it lists them now. */
  readonly isRunning: boolean;
  /** The server process or connection, compared by identity: another one may hold other data. */
  readonly instance: object | undefined;
}

export interface GuardRules extends Pick<SpeculationSettings, 'allow' | 'deny'> {
  readonly mask: Mask;
}

/**
 * Why PML must not make this call by itself; undefined if it may. No confidence overrides it.
 *
 * Capabilities and scripts are never called ahead: what they reach is decided while they run.
 * Servers with a process per client neither: a call of PML would open one in the client's name.
 */
export function refuseAhead(
  tool: ToolId,
  args: JsonObject,
  known: AheadTool | undefined,
  { allow, deny, mask }: GuardRules,
): string | undefined {
  const { server } = parseToolId(tool);
  if (server === BUILT_IN_SERVER || isCapability(tool)) return 'it runs in PML itself';
  if (!known || known.status !== 'active') return 'it is not an active tool';
  const isDenied = matchGlobs(deny);
  if (isDenied(server) || isDenied(tool)) return 'speculation.deny names it';
  const { admission, annotations } = known;
  if (admission.denied !== undefined) return admission.denied;
  if (admission.ask) return 'a call needs an approval';
  if (!admission.isReading) return 'it may change something';
  const isClosed = annotations.openWorldHint === false || matchGlobs(allow)(tool);
  if (!isClosed) return 'it may reach beyond its server';
  if (known.isolation === 'per-client') return 'its server has a process per client';
  if (!known.isRunning) return 'its server does not run';
  return holdsSecret(args, mask) ? 'its arguments hold a secret' : undefined;
}
