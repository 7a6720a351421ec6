/** The fields of a form, made from a JSON Schema. */
export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly isRequired: boolean;
  readonly isWhole: boolean;
  readonly description?: string;
  readonly choices: readonly string[];
  /** As text in the form. */
  readonly start: string;
}

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function fieldsOf(schema: unknown): readonly FormField[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const { required } = schema;
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(schema['properties']).map(([name, own]) =>
    fieldOf(name, isObject(own) ? own : {}, names.has(name)),
  );
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const { enum: choices, description, default: start } = schema;
  const kind = kindOf(schema);
  return {
    name,
    kind,
    isRequired,
    isWhole: schema['type'] === 'integer',
    ...(typeof description === 'string' && { description }),
    choices: Array.isArray(choices) ? choices.map(textOf) : [],
    start: start === undefined ? '' : kind === 'json' ? JSON.stringify(start) : textOf(start),
  };
}

function kindOf({ type, enum: choices }: Schema): FormField['kind'] {
  if (Array.isArray(choices) && choices.length > 0) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export type FormOutcome =
  | { readonly args: Record<string, unknown> }
  /** By the name of the field. */
  | { readonly problems: Readonly<Record<string, string>> };

/** What the form says, as arguments; empty fields are left out. */
export function readForm(
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
  schema: unknown,
): FormOutcome {
  const args: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? '';
    if (text === '') {
      if (field.isRequired) problems[field.name] = 'This value is needed';
      continue;
    }
    const read = readValue(field, text, schema);
    if ('problem' in read) problems[field.name] = read.problem;
    else args[field.name] = read.value;
  }
  return Object.keys(problems).length > 0 ? { problems } : { args };
}

function readValue(
  { kind, name, isWhole }: FormField,
  text: string,
  schema: unknown,
): { readonly value: unknown } | { readonly problem: string } {
  switch (kind) {
    case 'text':
      return { value: text };
    case 'boolean':
      return { value: text === 'true' };
    case 'number': {
      const value = Number(text);
      if (!Number.isFinite(value)) return { problem: 'This is no number' };
      return isWhole && !Number.isInteger(value)
        ? { problem: 'This is no whole number' }
        : { value };
    }
    case 'choice':
      return { value: choiceOf(name, text, schema) };
    case 'json':
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return { problem: 'This is not valid JSON' };
      }
  }
}

/** Choices need not be texts. */
function choiceOf(name: string, text: string, schema: unknown): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const own = isObject(properties) ? properties[name] : undefined;
  const choices = isObject(own) ? own['enum'] : undefined;
  return Array.isArray(choices) ? choices.find((one) => textOf(one) === text) : text;
}
