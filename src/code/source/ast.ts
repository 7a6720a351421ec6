import { type Node, visitorKeys } from 'oxc-parser';

export type { Node };

/** `Extract` would miss shapes that serve several types, such as functions. */
export type NodeOf<Type extends Node['type'], One = Node> = One extends Node
  ? Type extends One['type']
    ? One
    : never
  : never;
export type Call = NodeOf<'CallExpression'>;
export type Member = NodeOf<'MemberExpression'>;
export type FunctionNode = NodeOf<
  'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'
>;

/** Fields that hold types and nothing that runs. */
export const TYPE_FIELDS = new Set([
  'implements',
  'returnType',
  'superTypeArguments',
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
]);

/** Wrappers a value passes through unchanged. */
const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

/** The fields of a node by their names, which the parser's table of keys tells and its types cannot. */
export function byField(node: Node): Readonly<Record<string, unknown>> {
  return node as unknown as Readonly<Record<string, unknown>>;
}

/** The nodes below a node that take part in running it, in the order they are written. */
export function childrenOf(node: Node): readonly Node[] {
  const fields = byField(node);
  const children: Node[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    if (TYPE_FIELDS.has(key)) continue;
    for (const child of [fields[key]].flat()) {
      if (isNode(child) && !isErased(child)) children.push(child);
    }
  }
  return node.type === 'TemplateLiteral'
    ? children.toSorted((one, other) => one.start - other.start)
    : children;
}

/** Every node below a node, types included, with the field it stands in. */
export function fieldsOf(node: Node): readonly { readonly child: Node; readonly field: string }[] {
  const fields = byField(node);
  return (visitorKeys[node.type] ?? []).flatMap((field) =>
    [fields[field]].flat().flatMap((child) => (isNode(child) ? [{ child, field }] : [])),
  );
}

/** Types of a node: what is written in it and does not run. */
export function typesOf(node: Node): readonly Node[] {
  const fields = byField(node);
  return Object.keys(fields)
    .filter((key) => TYPE_FIELDS.has(key))
    .flatMap((key) => [fields[key]].flat().filter(isNode));
}

/** Whether a statement or member of a class exists for the type checker alone. */
export function isErased(node: Node): boolean {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSDeclareFunction':
    case 'TSIndexSignature':
    case 'TSAbstractMethodDefinition':
    case 'TSAbstractPropertyDefinition':
    case 'TSAbstractAccessorProperty':
      return true;
    case 'MethodDefinition':
      return node.value.body === null;
    case 'VariableDeclaration':
    case 'ClassDeclaration':
    case 'PropertyDefinition':
    case 'TSModuleDeclaration':
    case 'TSEnumDeclaration':
      return node.declare === true;
    default:
      return false;
  }
}

/** The expression without parentheses and type assertions around it. */
export function unwrap(node: Node): Node {
  return WRAPPERS.has(node.type) && 'expression' in node && isNode(node.expression)
    ? unwrap(node.expression)
    : node;
}

/** As `unwrap`, and through `?.` chains and `await`: where a value comes from. */
export function sourceOf(node: Node): Node {
  const inner = unwrap(node);
  if (inner.type === 'ChainExpression') return sourceOf(inner.expression);
  return inner.type === 'AwaitExpression' ? sourceOf(inner.argument) : inner;
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

/** The name after the dot, or a constant in brackets; nothing if it is worked out. */
export function memberName(node: Member): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  const property = unwrap(node.property);
  if (property.type === 'Literal' && ['string', 'number'].includes(typeof property.value)) {
    return String(property.value);
  }
  if (property.type !== 'TemplateLiteral' || property.expressions.length > 0) return undefined;
  return property.quasis[0]?.value.cooked ?? undefined;
}

/** The name of a property in an object or pattern, if it is written out. */
export function keyName(node: NodeOf<'Property'>): string | undefined {
  const key: Node = node.key;
  if (key.type === 'Identifier') return node.computed ? undefined : key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
