import { createHash } from 'node:crypto';

import { visitorKeys } from 'oxc-parser';

import {
  byField,
  isErased,
  keyName,
  memberName,
  type Node,
  type NodeOf,
  TYPE_FIELDS,
  unwrap,
} from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { Binding, Scopes } from '../source/scopes.js';

/** What besides its parts makes a node what it is. */
const TRAITS = ['operator', 'kind', 'static', 'async', 'generator', 'delegate', 'prefix', 'await'];

/**
 * A name for what code does: the same for texts that differ only in layout, comments, types, quotes,
 * parentheses and names of their own variables.
 */
export function identifyCode({ program, scopes }: ParsedCode): string {
  return createHash('sha256').update(new Normaliser(scopes).write(program)).digest('hex');
}

class Normaliser {
  readonly #scopes: Scopes;
  readonly #numbers = new Map<Binding, number>();
  /** Labels around the current statement, innermost last. */
  readonly #labels: string[] = [];

  constructor(scopes: Scopes) {
    this.#scopes = scopes;
  }

  write(wrapped: Node | null | undefined): string {
    if (!wrapped) return '-';
    const node = unwrap(wrapped);
    switch (node.type) {
      case 'Identifier':
        return this.#name(node);
      case 'Literal':
        return literalText(node);
      case 'TemplateLiteral':
        return this.#template(node);
      case 'TemplateElement':
        return JSON.stringify(node.value.cooked ?? node.value.raw);
      case 'TaggedTemplateExpression':
        // A tag sees the text as it was written.
        return `(tag ${this.write(node.tag)} ${node.quasi.quasis.map((one) => JSON.stringify(one.value.raw)).join(' ')} ${this.#all(node.quasi.expressions)})`;
      case 'MemberExpression':
        return this.#member(node);
      case 'Property':
        return this.#property(node);
      case 'MetaProperty':
        return `(meta ${node.meta.name}.${node.property.name})`;
      case 'PrivateIdentifier':
        return `#${node.name}`;
      case 'LabeledStatement':
        return this.#labelled(node);
      case 'BreakStatement':
      case 'ContinueStatement':
        return `(${node.type} ${node.label ? this.#labels.lastIndexOf(node.label.name) : '-'})`;
      case 'TSEnumDeclaration':
        return this.#enum(node);
      default:
        return this.#parts(node);
    }
  }

  #all(nodes: readonly (Node | null)[]): string {
    return nodes
      .filter((one) => !one || !isWithoutMeaning(one))
      .map((one) => this.write(one))
      .join(' ');
  }

  #name(node: NodeOf<'Identifier'>): string {
    const binding = this.#scopes.bindingOf(node);
    if (!binding) return node.name;
    const known = this.#numbers.get(binding) ?? this.#numbers.size;
    this.#numbers.set(binding, known);
    return `$${known}`;
  }

  #template(node: NodeOf<'TemplateLiteral'>): string {
    const [only] = node.quasis;
    if (only && node.expressions.length === 0) return JSON.stringify(only.value.cooked);
    return `(template ${this.#all(node.quasis)} ${this.#all(node.expressions)})`;
  }

  #member(node: NodeOf<'MemberExpression'>): string {
    const name = memberName(node);
    const field = name === undefined ? this.write(node.property) : JSON.stringify(name);
    const mark = name === undefined && node.computed ? '[]' : '.';
    return `(${node.optional ? '?' : ''}${mark} ${this.write(node.object)} ${field})`;
  }

  #property(node: NodeOf<'Property'>): string {
    const name = node.computed ? undefined : keyName(node);
    const key = name === undefined ? `[${this.write(node.key)}]` : JSON.stringify(name);
    // `{ __proto__ }` makes a field, `{ __proto__: x }` does not.
    const isField = name === '__proto__' && node.shorthand;
    const kind = node.kind === 'init' ? '' : ` ${node.kind}`;
    return `(${isField ? 'field' : ':'}${kind}${node.method ? ' method' : ''} ${key} ${this.write(node.value)})`;
  }

  #labelled(node: NodeOf<'LabeledStatement'>): string {
    this.#labels.push(node.label.name);
    const body = this.write(node.body);
    this.#labels.pop();
    return `(label ${body})`;
  }

  #enum(node: NodeOf<'TSEnumDeclaration'>): string {
    const members = node.body.members.map(({ id, initializer }) => {
      const name = id.type === 'Identifier' ? JSON.stringify(id.name) : this.write(id);
      return `(${name} ${this.write(initializer)})`;
    });
    return `(enum ${this.#name(node.id)} ${members.join(' ')})`;
  }

  #parts(node: Node): string {
    const fields = byField(node);
    const traits = TRAITS.filter((trait) => trait in fields).map((trait) => String(fields[trait]));
    if (node.type === 'CallExpression' && node.optional) traits.push('?');
    const keys = visitorKeys[node.type] ?? [];
    const parts = keys.flatMap((key) => {
      if (TYPE_FIELDS.has(key) || key === 'decorators') return [];
      if (key === 'key') return [this.#key(node)];
      const value = fields[key];
      return Array.isArray(value)
        ? [`[${this.#all(value as readonly (Node | null)[])}]`]
        : [this.write(value as Node | null)];
    });
    return `(${[node.type, ...traits, ...parts].join(' ')})`;
  }

  /** The name of a member of a class. */
  #key(node: Node): string {
    if (!('key' in node) || !('computed' in node)) return '-';
    const key: Node = node.key;
    if (node.computed) return `[${this.write(key)}]`;
    return key.type === 'Identifier' ? JSON.stringify(key.name) : this.write(key);
  }
}

function literalText(node: NodeOf<'Literal'>): string {
  if ('regex' in node) return `/${node.regex.pattern}/${node.regex.flags}`;
  if ('bigint' in node) return `${node.bigint}n`;
  return typeof node.value === 'number' ? String(node.value) : JSON.stringify(node.value);
}

/** `this` among the parameters is a type and nothing else. */
function isWithoutMeaning(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'this';
  return isErased(node) || node.type === 'EmptyStatement';
}
