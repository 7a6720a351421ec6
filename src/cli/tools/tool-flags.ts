/** Options of a tool, read from its schema. Pure. */
import { PmlError } from '../../core/errors.js';
import type { JsonObject, JsonValue } from '../../core/index.js';
import { isJsonObject } from '../../core/json.js';
import { closestWord } from '../../core/names/edit-distance.js';
import { propertiesOf, requiredOf } from '../../schema/keywords.js';

/** One parameter as an option of the command line. */
export interface ToolFlag {
  readonly param: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** As they are written on the command line. */
  readonly choices: readonly string[];
}

export function flagsOf(schema: JsonObject): readonly ToolFlag[] {
  const needed = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema)).map(([param, value]) => {
    const property = isJsonObject(value) ? value : {};
    const { description, enum: choices } = property;
    return {
      param,
      type: typeOf(property),
      isRequired: needed.has(param),
      description: typeof description === 'string' ? description : '',
      choices: Array.isArray(choices) ? choices.map(asWord) : [],
    };
  });
}

/** Of several possible types the first that says something; PML checks the value against the schema later. */
function typeOf(property: JsonObject): string {
  const { type, anyOf, oneOf } = property;
  const named = [type].flat().filter((one) => typeof one === 'string' && one !== 'null');
  if (typeof named[0] === 'string') return named[0];
  const options = [anyOf, oneOf].flat().filter((one) => isJsonObject(one ?? null));
  const inner = options.map((one) => (isJsonObject(one ?? null) ? typeOf(one as JsonObject) : ''));
  return inner.find((one) => one !== 'any' && one !== '') ?? 'any';
}

/** Reads `--name value`, `--name=value`, `--flag` and `--no-flag` by the schema of a tool. */
export function readToolFlags(
  words: readonly string[],
  { tool, flags, args }: { tool: string; flags: readonly ToolFlag[]; args: JsonObject },
): JsonObject {
  const values = new Map<string, JsonValue>(Object.entries(args));
  const lists = new Map<string, JsonValue[]>();
  for (let place = 0; place < words.length; place++) {
    const word = words[place] ?? '';
    const [, name, inline] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
    if (name === undefined) {
      throw wrong(`${tool} takes options such as --name value; "${word}" is none`);
    }
    const { flag, isNegated } = findFlag(name, { tool, flags });
    if (flag.type === 'boolean') {
      const next = words[place + 1];
      const said = inline ?? (next === 'true' || next === 'false' ? words[++place] : undefined);
      values.set(flag.param, (said ?? 'true') === 'true' && !isNegated);
      continue;
    }
    const text = inline ?? words[++place];
    if (text === undefined) throw wrong(`--${name} of ${tool} needs a value (${flag.type})`);
    const value = readValue(text, flag, name);
    if (flag.type !== 'array' || Array.isArray(value)) values.set(flag.param, value);
    else lists.set(flag.param, [...(lists.get(flag.param) ?? []), value]);
  }
  for (const [param, list] of lists) values.set(param, list);
  const missing = flags.filter(({ param, isRequired }) => isRequired && !values.has(param));
  if (missing.length > 0) {
    const names = missing.map(({ param, type }) => `--${param} <${type}>`).join(', ');
    throw wrong(`${tool} needs ${names}. pml call ${tool} --help shows all its options`);
  }
  return Object.fromEntries(values);
}

function findFlag(
  name: string,
  { tool, flags }: { readonly tool: string; readonly flags: readonly ToolFlag[] },
): { readonly flag: ToolFlag; readonly isNegated: boolean } {
  const byName = (wanted: string) =>
    flags.find(({ param }) => param === wanted) ??
    flags.find(({ param }) => plain(param) === plain(wanted));
  const flag = byName(name);
  if (flag) return { flag, isNegated: false };
  const negated = name.startsWith('no-') ? byName(name.slice('no-'.length)) : undefined;
  if (negated?.type === 'boolean') return { flag: negated, isNegated: true };
  const names = flags.map(({ param }) => param);
  const meant = closestWord(name, names);
  const known = names.length > 0 ? `it takes ${names.map((one) => `--${one}`).join(', ')}` : 'none';
  throw wrong(`${tool} has no option --${name}; ${meant ? `did you mean --${meant}?` : known}`);
}

/** `--file-path`, `--file_path` and `--filePath` are one. */
function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

function readValue(text: string, { type, choices }: ToolFlag, name: string): JsonValue {
  if (choices.length > 0 && !choices.includes(text)) {
    throw wrong(`--${name} is one of ${choices.join(', ')}, not "${text}"`);
  }
  switch (type) {
    case 'string':
      return text;
    case 'number':
    case 'integer': {
      const value = Number(text);
      const fits = text.trim() !== '' && (type === 'integer' ? Number.isInteger(value) : true);
      if (fits && Number.isFinite(value)) return value;
      throw wrong(
        `--${name} needs ${type === 'integer' ? 'a whole number' : 'a number'}, got "${text}"`,
      );
    }
    case 'object': {
      const value = parsed(text);
      if (isJsonObject(value ?? null)) return value as JsonObject;
      throw wrong(`--${name} needs a JSON object such as '{"key": "value"}', got "${text}"`);
    }
    // A list is JSON, or the option is given once for each item.
    default:
      return parsed(text) ?? text;
  }
}

function asWord(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // A text, which needs no quotes here.
  }
}

function wrong(message: string): PmlError {
  return new PmlError('BAD_REQUEST', message);
}
