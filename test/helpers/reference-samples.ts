import type { JsonObject } from '../../src/core/index.js';

/** A schema whose only parameter `p` is a reference, by what the reference shows. */
export type ReferenceSample = readonly [name: string, schema: JsonObject];

const flag: JsonObject = { type: 'boolean' };
const other: JsonObject = { type: 'string' };

const referring = (reference: string, rest: JsonObject): JsonObject => ({
  type: 'object',
  properties: { p: { $ref: reference } },
  ...rest,
});

/** `#/$defs/0` → `#/$defs/1` → … → a boolean. */
function chain(links: number): JsonObject {
  const link = (_: unknown, at: number): [string, JsonObject] => [
    String(at),
    { $ref: `#/$defs/${at + 1}` },
  ];
  const defs = Object.fromEntries(Array.from({ length: links }, link));
  return referring('#/$defs/0', { $defs: { ...defs, [links]: flag } });
}

/** In each of them `p` is a boolean. */
export const LEADING: readonly ReferenceSample[] = [
  ['a definition', referring('#/$defs/a', { $defs: { a: flag } })],
  ['a definition of draft 7', referring('#/definitions/a', { definitions: { a: flag } })],
  ['a slash in a key', referring('#/$defs/a~1b', { $defs: { 'a/b': flag } })],
  ['a tilde in a key', referring('#/$defs/a~0b', { $defs: { 'a~b': flag } })],
  ['a tilde before a 1', referring('#/$defs/a~01b', { $defs: { 'a~1b': flag, 'a/b': other } })],
  ['a space in a key', referring('#/$defs/a%20b', { $defs: { 'a b': flag } })],
  ['an encoded dollar', referring('#/%24defs/%C3%A9', { $defs: { é: flag } })],
  ['an encoded tilde', referring('#/$defs/a%7E1b', { $defs: { 'a/b': flag } })],
  [
    'an encoded slash, which parts keys',
    referring('#/$defs/a%2Fb', { $defs: { a: { b: flag }, 'a/b': other } }),
  ],
  ['a key that was escaped with its slash', referring('#/$defs/a%2Fb', { $defs: { 'a/b': flag } })],
  ['a percent sign', referring('#/$defs/100%', { $defs: { '100%': flag } })],
  ['no UTF-8', referring('#/$defs/%FF', { $defs: { '%FF': flag } })],
  ['an empty key', referring('#/$defs/', { $defs: { '': flag } })],
  ['an item of a list', referring('#/$defs/a/anyOf/1', { $defs: { a: { anyOf: [other, flag] } } })],
  ['a key called as if inherited', referring('#/$defs/toString', { $defs: { toString: flag } })],
  ['an anchor', referring('#flag', { $defs: { a: { $anchor: 'flag', ...flag } } })],
  ['a dynamic anchor', referring('#flag', { $defs: { a: { $dynamicAnchor: 'flag', ...flag } } })],
  ['an anchor of draft 7', referring('#flag', { definitions: { a: { $id: '#flag', ...flag } } })],
  ['an `$id`', referring('flag.json', { $defs: { a: { $id: 'flag.json', ...flag } } })],
  [
    'an `$id` and a pointer',
    referring('b.json#/$defs/a', { $defs: { b: { $id: 'b.json', $defs: { a: flag } } } }),
  ],
  [
    'an `$id` and an anchor',
    referring('b.json#a', {
      $defs: { b: { $id: 'b.json', items: { $anchor: 'a', ...flag } }, c: { $anchor: 'a' } },
    }),
  ],
  [
    'the URI of the whole',
    referring('https://example.org/tool.json#/$defs/a', {
      $id: 'https://example.org/tool.json',
      $defs: { a: flag },
    }),
  ],
  [
    'a definition of the resource that the reference is in',
    {
      type: 'object',
      properties: { p: { $id: 'inner', $ref: '#/$defs/a', $defs: { a: flag } } },
      $defs: { a: other },
    },
  ],
  [
    'a reference of another resource, read there',
    referring('b.json', {
      $defs: { a: other, b: { $id: 'b.json', $ref: '#/$defs/a', $defs: { a: flag } } },
    }),
  ],
  ['a chain', chain(20)],
];

/** In each of them nothing is known of `p`. */
export const MISLEADING: readonly ReferenceSample[] = [
  ['a definition that is missing', referring('#/$defs/a', {})],
  ['a leading zero', referring('#/$defs/a/anyOf/01', { $defs: { a: { anyOf: [other, flag] } } })],
  ['no index', referring('#/$defs/a/anyOf/', { $defs: { a: { anyOf: [flag] } } })],
  ['an exponent', referring('#/$defs/a/anyOf/1e0', { $defs: { a: { anyOf: [other, flag] } } })],
  ['a key without a slash', referring('#flag', { flag })],
  ['a key of every object', referring('#/$defs/constructor', { $defs: {} })],
  ['the prototype', referring('#/__proto__', {})],
  ['another document', referring('other.json#/$defs/a', { $defs: { a: flag } })],
  ['no URI', referring('http://[/x', { $defs: { a: flag } })],
  ['an anchor in data', referring('#flag', { default: { $defs: { a: { $anchor: 'flag' } } } })],
  ['an anchor in an example', referring('#flag', { examples: [{ $anchor: 'flag', ...flag }] })],
  ['itself', referring('#/properties/p', {})],
  ['a circle', referring('#/$defs/a', { $defs: { a: { $ref: '#/properties/p' } } })],
];
