/** Turns what a `server.json` asks for into values. Pure: what is missing is returned, not asked. */
import { namesSecret } from '../../core/index.js';
import type { NamedInput, PlainInput, ServerArgument } from './server-json.js';

/** What the user gave, each name possibly several times. References such as `${KEY}` stay. */
export type GivenValues = ReadonlyMap<string, readonly string[]>;

export interface MissingInput {
  readonly kind: 'env' | 'arg';
  readonly name: string;
  readonly description?: string | undefined;
  readonly choices?: readonly string[] | undefined;
}

/** What one form of a server needs, filled as far as possible. */
export class Filling {
  readonly missing: MissingInput[] = [];
  /** Variables of the environment that the entry refers to. */
  readonly references = new Set<string>();
  readonly #env: GivenValues;
  readonly #args: GivenValues;

  constructor(env: GivenValues, args: GivenValues) {
    this.#env = env;
    this.#args = args;
  }

  /** Values of `env` or of headers; what is optional and not given is left out. */
  named(inputs: readonly NamedInput[], kind: 'env' | 'header'): Record<string, string> {
    const entries = inputs.flatMap((input) => {
      const given = this.#env.get(input.name)?.at(-1);
      const fallback = kind === 'env' ? input.name : variableName(input.name);
      const value = given ?? this.#valueOf(input, { kind: 'env', name: input.name, fallback });
      return value === undefined ? [] : [[input.name, value] as const];
    });
    const known = new Set(inputs.map(({ name }) => name));
    const more = [...this.#env].filter(([name]) => !known.has(name));
    const extra = more.map(([name, values]) => [name, values.at(-1) ?? ''] as const);
    return Object.fromEntries([...entries, ...extra]);
  }

  arguments(inputs: readonly ServerArgument[]): string[] {
    return inputs.flatMap((input) => {
      const name = argumentName(input);
      const given = this.#args.get(name) ?? [];
      const values = input.isRepeated ? given : given.slice(-1);
      const fallback = variableName(name);
      const one = this.#valueOf(input, { kind: 'arg', name, fallback, isGiven: given.length > 0 });
      const all = values.length > 0 ? values : one === undefined ? [] : [one];
      return all.flatMap((value) => written(input, value));
    });
  }

  /** A text with `{variables}`. */
  text(template: string, variables: Readonly<Record<string, PlainInput>>): string {
    // A reference in the text of a stranger must not read the user's environment.
    return literal(template).replaceAll(/\{([^{}$]+)\}/g, (match, name: string) => {
      const input = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (!input) return match;
      const given = this.#args.get(name)?.at(-1);
      const fallback = variableName(name);
      return given ?? this.#plain(input, { kind: 'arg', name, fallback }) ?? '';
    });
  }

  #valueOf(
    input: NamedInput | ServerArgument,
    place: Place & { readonly isGiven?: boolean },
  ): string | undefined {
    if (input.value !== undefined) return this.text(input.value, input.variables);
    return place.isGiven ? undefined : this.#plain(input, place);
  }

  #plain(input: PlainInput, { kind, name, fallback }: Place): string | undefined {
    if (input.value !== undefined) return literal(input.value);
    if (!input.isRequired) return undefined;
    if (input.isSecret || namesSecret(name)) {
      this.references.add(fallback);
      return `\${${fallback}}`;
    }
    if (input.default !== undefined) return literal(input.default);
    const { description, choices } = input;
    this.missing.push({ kind, name, description, choices });
    return undefined;
  }
}

interface Place {
  readonly kind: MissingInput['kind'];
  readonly name: string;
  /** Variable that a secret is read from. */
  readonly fallback: string;
}

function argumentName({ name, valueHint, value }: ServerArgument): string {
  return (name ?? valueHint ?? value ?? 'argument').replace(/^-+/, '');
}

function written({ type, name }: ServerArgument, value: string): readonly string[] {
  if (type === 'positional' || name === undefined) return [value];
  return value === '' || value === 'true' ? [name] : [name, value];
}

function literal(text: string): string {
  return text.replaceAll('${', () => '$${');
}

function variableName(name: string): string {
  const upper = name.replaceAll(/\W+/g, '_').replace(/^_+/, '').toUpperCase();
  return /^[A-Z_]/.test(upper) ? upper : `INPUT_${upper}`;
}
