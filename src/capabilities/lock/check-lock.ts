import type { Capability, CapabilityVersion, LockedDefinition, ToolId } from '../../core/index.js';
import { type FindCapability, lackOf, type Quarantine } from '../contained.js';
import { compareDefinitions } from './compare-definitions.js';
import { usageOf } from './usage-of.js';

/** The current definition of a tool; undefined if there is none. */
export type DefinitionOf = (tool: ToolId) => LockedDefinition | undefined;

export interface LockCheck {
  readonly name: string;
  /**
   * `updated`: tools changed compatibly. `quarantined`: tools changed incompatibly. `restored`: the
   * reason for the quarantine is gone.
   */
  readonly kind: 'updated' | 'quarantined' | 'restored';
  /** What changed, each line with its tool. */
  readonly diff: readonly string[];
}

export interface CheckedCapability {
  readonly capability: Capability;
  /** Missing when nothing is different. */
  readonly check?: LockCheck;
}

/** Longer reasons are cut: the first lines already show what broke. */
const SHOWN_LINES = 5;

export interface Today {
  readonly definitionOf: DefinitionOf;
  /** Whether the state of a tool is known: its server may not have listed its tools yet. */
  readonly isKnown: (tool: ToolId) => boolean;
  readonly find: FindCapability;
}

/** Compares the tools that proved a capability with the current ones. */
export function checkLock(
  capability: Capability,
  { definitionOf: definedToday, isKnown, find }: Today,
): CheckedCapability {
  const { name, current, state } = capability;
  if (state.status === 'disabled') return { capability };
  // Tools of unknown state count as unchanged, but they do not restore a capability.
  const isUnsure = !current.toolsUsed.every(isKnown);
  if (isUnsure && state.status === 'quarantined') return { capability };
  const definitionOf: DefinitionOf = (tool) =>
    isKnown(tool) ? definedToday(tool) : current.lock[tool];
  const changes = changesOf(capability, definitionOf);
  const diff = changes.flatMap(({ tool, lines }) => lines.map((line) => `${tool}: ${line}`));
  const problem = brokenBy(changes) ?? lackOf(capability, find);
  if (problem) {
    // A capability that failed stays in quarantine until a use succeeds.
    const isTold =
      state.status === 'quarantined' &&
      (state.cause === 'failures' || state.reason === problem.reason);
    return isTold
      ? { capability }
      : {
          capability: { ...capability, state: problem },
          check: { name, kind: 'quarantined', diff: diff.length > 0 ? diff : [problem.reason] },
        };
  }
  const isRestored = state.status === 'quarantined' && state.cause !== 'failures';
  if (changes.length === 0 && !isRestored) return { capability };
  return {
    capability: {
      ...capability,
      state: isRestored ? { status: 'active' } : state,
      current: relocked(current, definitionOf),
    },
    check: { name, kind: isRestored ? 'restored' : 'updated', diff },
  };
}

/** The current definitions of the tools that still exist. */
export function lockOf(
  tools: readonly ToolId[],
  definitionOf: DefinitionOf,
): Readonly<Record<ToolId, LockedDefinition>> {
  return Object.fromEntries(
    tools.flatMap((tool) => {
      const definition = definitionOf(tool);
      return definition ? [[tool, definition] as const] : [];
    }),
  );
}

/** A version as if the current definitions had proven it. */
export function relocked(
  version: CapabilityVersion,
  definitionOf: DefinitionOf,
): CapabilityVersion {
  const lock = { ...version.lock, ...lockOf(version.toolsUsed, definitionOf) };
  return { ...version, lock };
}

interface ToolChange {
  readonly tool: string;
  readonly kind: 'compatible' | 'incompatible';
  readonly lines: readonly string[];
}

function changesOf({ current }: Capability, definitionOf: DefinitionOf): readonly ToolChange[] {
  return (Object.entries(current.lock) as [ToolId, LockedDefinition][]).flatMap(
    ([tool, before]) => {
      const now = definitionOf(tool);
      if (now?.hash === before.hash) return [];
      const { kind, lines } = compareDefinitions(before, now, usageOf(current, tool));
      return kind === 'same' ? [] : [{ tool, kind, lines }];
    },
  );
}

function brokenBy(changes: readonly ToolChange[]): Quarantine | undefined {
  const broken = changes.filter(({ kind }) => kind === 'incompatible');
  if (broken.length === 0) return undefined;
  const lines = broken.flatMap(({ tool, lines: all }) => all.map((line) => `${tool}: ${line}`));
  const rest = lines.length > SHOWN_LINES ? [`and ${lines.length - SHOWN_LINES} more`] : [];
  const reason = [...lines.slice(0, SHOWN_LINES), ...rest].join('; ');
  return { status: 'quarantined', cause: 'definitions', reason };
}
