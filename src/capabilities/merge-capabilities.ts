import {
  canonicalJson,
  type Capability,
  type CapabilityVersion,
  isJsonObject,
} from '../core/index.js';
import { propertiesOf } from '../schema/index.js';
import { joinIntents, reachOf } from './place-version.js';
import { addStatistics } from './take-use.js';

/** Why one cannot become part of the other; nothing if it can. */
export function refuseMerge(
  from: Capability,
  into: Capability,
  { hasDependants }: { readonly hasDependants: boolean },
): string | undefined {
  if (from.name === into.name) return 'they are the same';
  const [some, others] = [reachOf(from.current), reachOf(into.current)];
  if (some !== others) {
    return `they call different things: ${from.name} ${some}; ${into.name} ${others}`;
  }
  if (!hasDependants) return undefined;
  const strange = strangeParameters(from.current, into.current);
  return strange.length === 0
    ? undefined
    : `others call ${from.name} with ${strange.join(', ')}, which ${into.name} does not take`;
}

/** The one that keeps its name, with the uses, intents, names and versions of the other. */
export function mergeCapabilities(from: Capability, into: Capability): Capability {
  const known = new Set([into.current, ...into.others].map(({ identity }) => identity));
  const newest = Math.max(...[into.current, ...into.others].map(({ version }) => version));
  const moved = [...from.others.toReversed(), from.current]
    .filter(({ identity }) => !known.has(identity))
    .map((version, index) => ({ ...version, version: newest + 1 + index }));
  return {
    ...into,
    aliases: [...into.aliases, from.name, ...from.aliases],
    intents: joinIntents(into.intents, from.intents),
    current: {
      ...into.current,
      statistics: addStatistics(into.current.statistics, from.current.statistics),
    },
    others: [...moved.toReversed(), ...into.others],
  };
}

/** Parameters of one that the other does not know, or knows as something else. */
function strangeParameters(from: CapabilityVersion, into: CapabilityVersion): readonly string[] {
  const [some, others] = [typesOf(from), typesOf(into)];
  return [...some].filter(([name, type]) => others.get(name) !== type).map(([name]) => name);
}

function typesOf({ parameters }: CapabilityVersion): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(propertiesOf(parameters)).map(([name, schema]) => [
      name,
      canonicalJson(isJsonObject(schema) ? (schema['type'] ?? null) : null),
    ]),
  );
}
