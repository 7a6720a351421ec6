import {
  isJsonObject,
  type JsonObject,
  type LockedDefinition,
  nearestNames,
  visible,
} from '../../core/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';
import { compareWithin, findNarrowings, resolved, sameSchema } from './narrowing.js';

/** What code needs of a tool. Where it is not known, everything counts. */
export interface ToolUsage {
  /** Parameters that it gives, of each of its calls. */
  readonly given?: readonly ReadonlySet<string>[];
  /** Words it is written in: a field of a result that is not among them is not read by name. */
  readonly words?: ReadonlySet<string>;
}

export interface DefinitionChange {
  readonly kind: 'same' | 'compatible' | 'incompatible';
  /** What changed, for a person; first what makes it incompatible. */
  readonly lines: readonly string[];
}

/**
 * Whether code that was proven with one definition can be trusted with another: all that it gives must
 * still be taken, and all that it reads still be there.
 */
export function compareDefinitions(
  before: LockedDefinition,
  now: LockedDefinition | undefined,
  usage: ToolUsage = {},
): DefinitionChange {
  if (!now) return { kind: 'incompatible', lines: ['the tool is gone'] };
  if (before.hash === now.hash) return { kind: 'same', lines: [] };
  const broken = [...inputBreaks(before, now, usage), ...outputBreaks(before, now, usage)];
  const lines = [...broken, ...remarks(before, now)].map(visible);
  return { kind: broken.length > 0 ? 'incompatible' : 'compatible', lines };
}

function inputBreaks(
  before: LockedDefinition,
  now: LockedDefinition,
  { given }: ToolUsage,
): readonly string[] {
  const within = compareWithin(before.inputSchema, now.inputSchema);
  const [old, today] = [asObject(within.before), asObject(within.now)];
  const [had, has] = [propertiesOf(old), propertiesOf(today)];
  const names = new Set(given?.flatMap((call) => [...call]) ?? Object.keys(had));
  const isClosed = today['additionalProperties'] === false;
  const gone = [...names].filter(
    (name) => !Object.hasOwn(has, name) && (Object.hasOwn(had, name) || isClosed),
  );
  const added = Object.keys(has).filter((name) => !Object.hasOwn(had, name));
  const calls = given ?? [new Set(requiredOf(old))];
  const demanded = requiredOf(today).filter((name) => calls.some((call) => !call.has(name)));
  const narrowed = [...names]
    .filter((name) => Object.hasOwn(had, name) && Object.hasOwn(has, name))
    .flatMap((name) => findNarrowings({ before: had[name], now: has[name], path: name, within }));
  return [
    ...gone.map((name) => `- parameter ${name}${renamed(name, added)}`),
    ...demanded.map((name) => `+ parameter ${name} is now required`),
    ...narrowed.map(({ path, what }) => `! parameter ${path}: ${what}`),
  ];
}

function renamed(name: string, added: readonly string[]): string {
  const [nearest] = nearestNames(name, added, 1);
  return nearest === undefined ? ' is gone' : ` is gone (perhaps it is ${nearest} now)`;
}

/** A result may have more than before. A tool that declares nothing any more is taken at its old word. */
function outputBreaks(
  before: LockedDefinition,
  now: LockedDefinition,
  { words }: ToolUsage,
): readonly string[] {
  if (!before.outputSchema || !now.outputSchema) return [];
  // The other way round: all that comes now must be something that could come before.
  const within = compareWithin(now.outputSchema, before.outputSchema);
  const [had, has] = [before.outputSchema, now.outputSchema].map((schema) =>
    propertiesOf(asObject(schema)),
  ) as [JsonObject, JsonObject];
  const read = Object.keys(had).filter((name) => words?.has(name) ?? true);
  return read.flatMap((name) => {
    if (!Object.hasOwn(has, name)) return [`- result field ${name} is gone`];
    const changes = findNarrowings({ before: has[name], now: had[name], path: name, within });
    return changes
      .filter(({ what }) => what.startsWith('type'))
      .map(({ path }) => `! result field ${path}: another type`);
  });
}

/** What changed and does no harm. */
function remarks(before: LockedDefinition, now: LockedDefinition): readonly string[] {
  const [had, has] = [before, now].map(({ inputSchema }) =>
    propertiesOf(asObject(inputSchema)),
  ) as [JsonObject, JsonObject];
  const added = Object.keys(has).filter((name) => !Object.hasOwn(had, name));
  const isInputSame = sameSchema(before.inputSchema, now.inputSchema);
  const isOutputSame = sameSchema(before.outputSchema ?? null, now.outputSchema ?? null);
  const lines = [
    ...added.map((name) => `+ parameter ${name}`),
    ...(isInputSame || added.length > 0 ? [] : ['~ parameters']),
    ...(isOutputSame ? [] : ['~ result']),
    ...(before.description === now.description ? [] : ['~ description']),
  ];
  return lines.length > 0 ? lines : ['~ title, texts or annotations'];
}

function asObject(schema: JsonObject): JsonObject {
  const target = resolved(schema, schema);
  return isJsonObject(target) ? target : {};
}
