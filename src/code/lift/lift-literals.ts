import type { JsonObject, JsonValue, SourceSpan } from '../../core/index.js';
import type { ParsedCode } from '../source/parse-code.js';
import { SourceEdits } from '../source/source-edits.js';
import { spanOf } from '../source/source-text.js';
import { findLiftable, type Liftable } from './find-liftable.js';
import { findSecrets, type Secret } from './find-secrets.js';
import { type GivenArgs, readGivenArgs } from './given-args.js';
import { ParameterNames, tellingFirst } from './parameter-names.js';
import { parameterSchema } from './parameter-schema.js';
import { isSaid, replaceSaid } from './said-texts.js';
import { findSecret } from './secret-text.js';

export interface LiftOptions {
  /** Texts that are known to be secret, regardless of their form. */
  readonly isSecret?: (text: string) => boolean;
  /** The schema of a tool's parameter, for descriptions. */
  readonly describe?: (tool: string, parameter: string) => JsonObject | undefined;
}

/** Code whose data became parameters. */
export interface Parameterised {
  /** Reads its data from `args`. With `defaults` as `args` it does what the original code did. */
  readonly code: string;
  /** JSON Schema of `args`: what was lifted, and what the code read from `args` already. */
  readonly parameters: JsonObject;
  /** The literals, by the names of their parameters. Secrets are not among them. */
  readonly defaults: JsonObject;
  /** Parameters that have to be given, and where the text held their values. */
  readonly secrets: readonly { readonly name: string; readonly span: SourceSpan }[];
}

/** Turns the data of a task into parameters, so that the code serves other tasks as well. */
export function liftLiterals(code: ParsedCode, options: LiftOptions = {}): Parameterised {
  const secrets = findSecrets(code, options.isSecret ?? (() => false));
  const liftables = findLiftable(code, new Set(secrets.map((one) => one.node)));
  const given = readGivenArgs(code);
  const names = new ParameterNames(given.names);
  const edits = new SourceEdits(code.text);
  const lifted = nameEach(liftables, names);
  const hidden = hideSecrets(code, secrets, { names, edits });
  for (const { one, name } of lifted) edits.replace(one.node.start, one.node.end, `args.${name}`);
  const taken = [...liftables.map(({ node }) => node), ...secrets.map(({ node }) => node)];
  const said = lifted.flatMap(({ one, name }) =>
    isSaid(one.value) ? [{ text: one.value, name }] : [],
  );
  replaceSaid(code, new Set(taken), { edits, said });
  const own = [...lifted.map(({ name }) => name), ...hidden.map(({ name }) => name)];
  if (own.length > 0) given.keepApart(edits, [...new Set(own)]);
  // Comments inside what was lifted are gone with it.
  const left = code.comments.filter(
    ({ start }) => !liftables.some(({ node }) => node.start <= start && start < node.end),
  );
  blankComments({ ...code, comments: left }, edits, options.isSecret);
  return {
    code: edits.apply().text,
    parameters: schemaOf(lifted, { hidden, given, describe: options.describe }),
    defaults: Object.fromEntries(
      lifted.map(({ one, name }): [string, JsonValue] => [name, one.value]),
    ),
    secrets: hidden,
  };
}

/**
 * A text that names something, like a city or an address, means the same at every place: it gets
 * one parameter with the most descriptive of its names.
 */
function nameEach(liftables: readonly Liftable[], names: ParameterNames): readonly Named[] {
  const nameOf = new Map<JsonValue, string>();
  return liftables.map((one) => {
    const known = nameOf.get(one.value);
    if (known !== undefined || !isSaid(one.value)) {
      return { one, name: known ?? names.give(one.value, one.wishes) };
    }
    const same = liftables.filter(({ value }) => value === one.value);
    const name = names.give(one.value, tellingFirst(same.map(({ wishes }) => wishes)));
    nameOf.set(one.value, name);
    return { one, name };
  });
}

interface Named {
  readonly one: Liftable;
  readonly name: string;
}

/** Writes parameters where secrets were. Secrets in types need none. */
function hideSecrets(
  code: ParsedCode,
  secrets: readonly Secret[],
  { names, edits }: { readonly names: ParameterNames; readonly edits: SourceEdits },
): Parameterised['secrets'] {
  return secrets.flatMap((secret) => {
    const { start, end, place, wishes } = secret;
    if (place === 'type') {
      edits.replace(start, end, 'string');
      return [];
    }
    // The text itself only serves to give the same secret the same name.
    const name = names.give(`secret ${code.text.slice(start, end)}`, wishes);
    const read = `args.${name}`;
    edits.replace(start, end, { value: read, key: `[${read}]`, part: `\${${read}}` }[place]);
    return [{ name, span: spanOf(code.starts, secret) }];
  });
}

/** A comment may contain a secret that was removed from the code. */
function blankComments(
  { text, comments }: ParsedCode,
  edits: SourceEdits,
  isSecret: LiftOptions['isSecret'],
): void {
  for (const { start, end } of comments) {
    const comment = text.slice(start, end);
    const isKnown = isSecret && comment.split(/\s+/).some((word) => word !== '' && isSecret(word));
    if (isKnown || findSecret(comment)) edits.blank(start, end);
  }
}

function schemaOf(
  lifted: readonly Named[],
  {
    hidden,
    given,
    describe,
  }: {
    readonly hidden: Parameterised['secrets'];
    readonly given: GivenArgs;
    readonly describe: LiftOptions['describe'];
  },
): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const name of given.names) properties[name] = {};
  for (const { one, name } of lifted) {
    properties[name] ??= parameterSchema(one.value, describe?.(one.tool, one.parameter), one);
  }
  for (const { name } of hidden) {
    properties[name] = { type: 'string', description: 'Secret; it is not kept.', writeOnly: true };
  }
  const required = [...new Set([...given.required, ...hidden.map(({ name }) => name)])];
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
