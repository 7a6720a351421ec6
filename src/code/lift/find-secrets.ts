import { namesSecret } from '../../core/index.js';
import { fieldsOf, keyName, type Node } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import { findSecret } from './secret-text.js';

/** A piece of the text that must not be kept. */
export interface Secret {
  /** The literal it is or stands in. */
  readonly node: Node;
  readonly start: number;
  readonly end: number;
  /** `value`: an expression; `key`: the name of a property; `part`: in a template; `type`: in a type. */
  readonly place: 'value' | 'key' | 'part' | 'type';
  readonly wishes: readonly string[];
}

/** Finds secrets in texts of the code, types included, by their form, their name or by being known. */
export function findSecrets(
  code: ParsedCode,
  isSecret: (text: string) => boolean,
): readonly Secret[] {
  const secrets: Secret[] = [];
  const visit = (node: Node, parent: Node | undefined, names: readonly string[]): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      const isNamed =
        node.value !== '' && parent?.type !== 'TSLiteralType' && names.some(namesSecret);
      if (isNamed || isSecret(node.value) || findSecret(node.value)) {
        const { start, end } = node;
        secrets.push({
          node,
          start,
          end,
          place: placeOf(node, parent),
          wishes: [...names, 'secret'],
        });
      }
    }
    if (node.type === 'TemplateElement') {
      for (const { start, end } of partsOf(code.text, node, isSecret)) {
        secrets.push({ node, start, end, place: 'part', wishes: [...names, 'secret'] });
      }
    }
    const passed = PASSING.has(node.type) ? names : [];
    for (const { child, field } of fieldsOf(node)) {
      const name = nameOf(node, field);
      visit(child, node, name === undefined ? passed : [name]);
    }
  };
  visit(code.program, undefined, []);
  return secrets;
}

/** Nodes in which a text still stands for what the whole is called. */
const PASSING = new Set([
  'AwaitExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ParenthesizedExpression',
  'TemplateLiteral',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);

function placeOf(node: Node, parent: Node | undefined): Secret['place'] {
  if (parent?.type === 'TSLiteralType') return 'type';
  const isKey = parent && 'key' in parent && parent.key === node;
  return isKey && 'computed' in parent && !parent.computed ? 'key' : 'value';
}

function nameOf(node: Node, key: string): string | undefined {
  if (node.type === 'Property' && key === 'value') return keyName(node);
  if (node.type === 'VariableDeclarator' && key === 'init' && node.id.type === 'Identifier') {
    return node.id.name;
  }
  if (node.type === 'AssignmentExpression' && key === 'right') {
    if (node.left.type === 'Identifier') return node.left.name;
    if (node.left.type === 'MemberExpression' && node.left.property.type === 'Identifier') {
      return node.left.property.name;
    }
  }
  return undefined;
}

function partsOf(
  text: string,
  node: Node & { readonly type: 'TemplateElement' },
  isSecret: (text: string) => boolean,
): readonly { readonly start: number; readonly end: number }[] {
  const { raw } = node.value;
  const at = text.indexOf(raw, node.start);
  if (raw === '' || at < 0) return [];
  if (isSecret(node.value.cooked ?? raw)) return [{ start: at, end: at + raw.length }];
  const parts = [];
  for (let from = 0; ;) {
    const found = findSecret(raw.slice(from));
    if (!found) return parts;
    parts.push({ start: at + from + found.start, end: at + from + found.end });
    from += found.end;
  }
}
