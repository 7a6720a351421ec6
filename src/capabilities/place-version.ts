import { type Capability, capabilityId, type CapabilityVersion } from '../core/index.js';

/** Versions kept under one name, the one in use included. */
const MOST_VERSIONS = 10;
/** Successes after which code is not replaced by other code that worked once. */
const PROVEN_BY = 3;
const MOST_INTENTS = 20;

/** Whether what was proven just now is another way to do what a capability is for. */
export function isAnotherWay(
  { intents, current, state }: Capability,
  intent: string,
  proven: CapabilityVersion,
): boolean {
  // Where the old way is broken, any way that works will do.
  if (state.status !== 'quarantined' && reachOf(current) !== reachOf(proven)) return false;
  return intent !== '' && intents.some((one) => normalised(one) === normalised(intent));
}

/** Whether it may take the place of the version in use. */
export function takesOver(
  { state, isPinned, current }: Capability,
  { hasDependants }: { readonly hasDependants: boolean },
): boolean {
  // Others give it the parameters they know.
  if (isPinned || hasDependants || state.status === 'disabled') return false;
  return state.status === 'quarantined' || current.statistics.successes < PROVEN_BY;
}

/** Puts a new version under a name, in use or beside the one that stays in use. */
export function placeVersion(
  capability: Capability,
  proven: CapabilityVersion,
  { isInUse }: { readonly isInUse: boolean },
): { readonly capability: Capability; readonly forgotten: readonly CapabilityVersion[] } {
  const known = [capability.current, ...capability.others];
  const number = Math.max(...known.map(({ version }) => version)) + 1;
  const version = { ...proven, version: number };
  const current = isInUse ? version : capability.current;
  const others = [version, ...known]
    .filter(({ identity }) => identity !== current.identity)
    .toSorted((one, other) => other.version - one.version);
  return {
    capability: {
      ...capability,
      current,
      others: others.slice(0, MOST_VERSIONS - 1),
      state: isInUse ? { status: 'active' } : capability.state,
    },
    forgotten: others.slice(MOST_VERSIONS - 1),
  };
}

/** With one more thing it was wanted for, newest first. */
export function withIntent(capability: Capability, intent: string): Capability {
  if (intent === '') return capability;
  return { ...capability, intents: joinIntents([intent], capability.intents) };
}

/** Both, those that say the same once. */
export function joinIntents(
  first: readonly string[],
  second: readonly string[],
): readonly string[] {
  const bySense = new Map<string, string>();
  for (const intent of [...first, ...second]) {
    if (!bySense.has(normalised(intent))) bySense.set(normalised(intent), intent);
  }
  return [...bySense.values()].slice(0, MOST_INTENTS);
}

/** All that code calls, as one text. */
export function reachOf({ toolsUsed, contains }: CapabilityVersion): string {
  return [...toolsUsed, ...contains.map(capabilityId)].join(', ');
}

function normalised(intent: string): string {
  return intent
    .toLowerCase()
    .replaceAll(/[\s.!?]+/g, ' ')
    .trim();
}
