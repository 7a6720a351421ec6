import fc from 'fast-check';

/** Programs made up for properties: what they do, apart from how that is written. */
export type Step =
  | { readonly kind: 'call'; readonly tool: string; readonly input: Input; readonly as: number }
  | { readonly kind: 'helper'; readonly tool: string; readonly of: number; readonly as: number }
  | {
      readonly kind: 'nested';
      readonly tool: string;
      readonly inner: string;
      readonly input: Input;
      readonly as: number;
    }
  | { readonly kind: 'both'; readonly tools: readonly [string, string]; readonly as: number }
  | {
      readonly kind: 'rows';
      readonly method: string;
      readonly least: number;
      readonly of: number;
      readonly as: number;
    }
  | { readonly kind: 'text'; readonly literal: string; readonly of: number; readonly as: number }
  | { readonly kind: 'keys'; readonly of: number; readonly as: number }
  | { readonly kind: 'optional'; readonly field: string; readonly of: number; readonly as: number }
  | {
      readonly kind: 'branch';
      readonly least: number;
      readonly of: number;
      readonly first: string;
      readonly otherwise: string;
    }
  | { readonly kind: 'loop'; readonly tool: string; readonly of: number };

export interface Input {
  readonly name: string;
  readonly count: number;
  readonly isOpen: boolean;
  readonly tags: readonly string[];
  /** The step whose result goes in as well. */
  readonly of?: number;
}

export interface MadeProgram {
  readonly steps: readonly Step[];
  readonly returns: readonly number[];
}

/** How a program is written, none of which matters. */
export interface Writing {
  readonly prefix: string;
  readonly quote: "'" | '"' | '`';
  readonly end: '' | ';';
  readonly gap: string;
  readonly hasTypes: boolean;
  readonly hasBrackets: boolean;
  readonly hasComments: boolean;
  /** Parameters of callbacks are called like the first variable. */
  readonly hidesNames: boolean;
}

const TOOLS = ['db.query', 'web.get', 'files["read-all"]', 'mail.send', 'shop.find'];
const METHODS = ['filter', 'map', 'slice', 'toSorted', 'some', 'flatMap'];

const input = fc.record({
  name: fc
    .string({ maxLength: 12 })
    .map((text) => text.replaceAll(/[\\`$'"\n\r\u2028\u2029]/g, '_')),
  count: fc.integer({ min: -50, max: 50 }).map((count) => count || 1),
  isOpen: fc.boolean(),
  tags: fc.array(fc.constantFrom('red', 'green', 'blue'), { maxLength: 3 }),
});

const recipe = fc.record({
  kind: fc.nat(),
  tool: fc.constantFrom(...TOOLS),
  other: fc.constantFrom(...TOOLS),
  method: fc.constantFrom(...METHODS),
  literal: fc.constantFrom('one', 'two', 'three'),
  least: fc.nat(9),
  pick: fc.nat(),
  input,
});

/** Programs; straight ones have neither branches nor loops. */
export function madeProgram({
  isStraight,
}: {
  readonly isStraight: boolean;
}): fc.Arbitrary<MadeProgram> {
  const program = fc.array(recipe, { minLength: 1, maxLength: 12 }).map((recipes) => {
    const steps: Step[] = [];
    let known = 0;
    for (const one of recipes) {
      const of = known === 0 ? 0 : one.pick % known;
      const step = stepOf(known === 0 ? 0 : one.kind % (isStraight ? 8 : 10), one, of, known);
      steps.push(step);
      if ('as' in step) known += step.kind === 'both' ? 2 : 1;
    }
    return { steps, returns: Array.from({ length: known }, (_, index) => index) };
  });
  return program;
}

interface Recipe {
  readonly tool: string;
  readonly other: string;
  readonly method: string;
  readonly literal: string;
  readonly least: number;
  readonly input: Input;
}

function stepOf(kind: number, one: Recipe, of: number, as: number): Step {
  const { tool, other, method, literal, least } = one;
  const given = as === 0 ? one.input : { ...one.input, of };
  const steps: readonly Step[] = [
    { kind: 'call', tool, input: given, as },
    { kind: 'helper', tool, of, as },
    { kind: 'nested', tool, inner: other, input: one.input, as },
    { kind: 'both', tools: [tool, other], as },
    { kind: 'rows', method, least, of, as },
    { kind: 'text', literal, of, as },
    { kind: 'keys', of, as },
    { kind: 'optional', field: literal, of, as },
    { kind: 'branch', least, of, first: tool, otherwise: other },
    { kind: 'loop', tool, of },
  ];
  return steps[kind] ?? steps[0]!;
}

export const writing: fc.Arbitrary<Writing> = fc.record({
  prefix: fc.constantFrom('v', 'value_', '$', 'x', 'longNameOf'),
  quote: fc.constantFrom("'" as const, '"' as const, '`' as const),
  end: fc.constantFrom('' as const, ';' as const),
  gap: fc.constantFrom('\n', '\n\n', '\n  ', '\r\n'),
  hasTypes: fc.boolean(),
  hasBrackets: fc.boolean(),
  hasComments: fc.boolean(),
  hidesNames: fc.boolean(),
});

export const PLAIN: Writing = {
  prefix: 'v',
  quote: "'",
  end: ';',
  gap: '\n',
  hasTypes: false,
  hasBrackets: false,
  hasComments: false,
  hidesNames: false,
};

/** Every result of a step, whatever it is, has `rows`, `text` and `n`. */
export function writeProgram({ steps, returns }: MadeProgram, style: Writing): string {
  const name = (index: number) => `${style.prefix}${index}`;
  const lines = steps.map((step, index) => writeStep(step, { style, name, index }));
  const result = `return { ${returns.map((one) => `r${one}: ${name(one)}`).join(', ')} }${style.end}`;
  return [...lines, result].join(style.hasComments ? ` // note${style.gap}` : style.gap);
}

interface Place {
  readonly style: Writing;
  readonly name: (index: number) => string;
  readonly index: number;
}

function writeStep(step: Step, { style, name, index }: Place): string {
  const { quote, end, hasTypes } = style;
  const text = (value: string) => `${quote}${value}${quote}`;
  const wrap = (code: string) => (style.hasBrackets ? `(${code})` : code);
  const type = hasTypes ? ': any' : '';
  const item = style.hidesNames ? name(0) : `${style.prefix}Item`;
  const given = ({ name: label, count, isOpen, tags, of }: Input) =>
    `{ name: ${text(label)}, count: ${wrap(String(count))}, isOpen: ${isOpen}, tags: [${tags.map(text).join(', ')}]${of === undefined ? '' : `, from: ${name(of)}.text`} }`;
  const variable = 'as' in step ? `const ${name(step.as)}${type} = ` : '';
  switch (step.kind) {
    case 'call':
      return `${variable}await ${wrap(`mcp.${step.tool}(${given(step.input)})`)}${end}`;
    case 'helper':
      return `async function ${style.prefix}Help${index}(${item}${type}) { return mcp.${step.tool}({ id: ${item} })${end} }${style.gap}${variable}await ${style.prefix}Help${index}(${name(step.of)}.n)${hasTypes ? ' as any' : ''}${end}`;
    case 'nested':
      return `${variable}await mcp.${step.tool}({ from: ${wrap(`(await mcp.${step.inner}(${given(step.input)})).text`)} })${end}`;
    case 'both':
      return `const [${name(step.as)}, ${name(step.as + 1)}] = await Promise.all([mcp.${step.tools[0]}({ n: 1 }), mcp.${step.tools[1]}({ n: 2 })])${end}`;
    case 'rows': {
      const made = `${name(step.of)}.rows.${step.method}(${callback(step, item, type)})`;
      const rows = step.method === 'some' ? `[${made}]` : made;
      return `${variable}{ rows: ${rows}, text: ${text('t')}, n: ${step.least} }${end}`;
    }
    case 'text':
      return `${variable}{ rows: ${name(step.of)}.text.split(${text(step.literal)}), text: \`\${${name(step.of)}.text}-${step.literal}\`, n: 1 }${end}`;
    case 'keys':
      return `${variable}{ rows: Object.keys(${name(step.of)}), text: JSON.stringify(${name(step.of)}), n: 2 }${end}`;
    case 'optional':
      return `${variable}{ rows: ${name(step.of)}.rows?.concat([${text(step.field)}]), text: ${name(step.of)}.${step.field}?.join(${text('+')}) ?? ${text('')}, n: 3 }${end}`;
    case 'branch':
      return `if (${wrap(`${name(step.of)}.n > ${step.least}`)}) { await mcp.${step.first}({ a: 1 })${end} } else { await mcp.${step.otherwise}({ b: 2 })${end} }`;
    case 'loop':
      return `for (const ${item}Of of [${name(step.of)}.n]) { await mcp.${step.tool}({ id: ${item}Of })${end} }`;
  }
}

function callback(
  { method, least }: { readonly method: string; readonly least: number },
  item: string,
  type: string,
): string {
  if (method === 'slice') return String(least);
  if (method === 'toSorted') return '';
  if (method === 'flatMap') return `(${item}${type}) => [${item}, ${least}]`;
  return `(${item}${type}) => ${item} !== ${least}`;
}
