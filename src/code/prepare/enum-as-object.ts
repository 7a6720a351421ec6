import { childrenOf, type Node, type NodeOf } from '../source/ast.js';

/**
 * What TypeScript makes of an enum: an object with its values, and for numbers their names. Takes
 * as many lines as the enum did.
 */
export function enumAsObject(text: string, node: NodeOf<'TSEnumDeclaration'>): string {
  const name = node.id.name;
  const named = new Set(node.body.members.flatMap((one) => namesIn(one.initializer)));
  const lines: string[] = [];
  let previous: string | undefined;
  for (const { id, initializer } of node.body.members) {
    const key = id.type === 'Identifier' ? id.name : memberText(id);
    const at = `${name}[${JSON.stringify(key)}]`;
    const value = initializer ? text.slice(initializer.start, initializer.end) : undefined;
    const given = value ?? (previous === undefined ? '0' : `${previous} + 1`);
    const set = `${at} = ${given}`;
    lines.push(isText(initializer) ? `${set};` : `${name}[${set}] = ${JSON.stringify(key)};`);
    if (named.has(key)) lines.push(`const ${key} = ${at};`);
    previous = at;
  }
  const made = `var ${name} = ((${name}) => { ${lines.join(' ')} return ${name}; })(${name} || {});`;
  return made + text.slice(node.start, node.end).replaceAll(/[^\n\r\u2028\u2029]/g, '');
}

function memberText(id: Node): string {
  if (id.type === 'Literal') return String(id.value);
  return id.type === 'TemplateLiteral' ? (id.quasis[0]?.value.cooked ?? '') : '';
}

function isText(node: Node | null | undefined): boolean {
  if (node?.type === 'TemplateLiteral') return true;
  return node?.type === 'Literal' && typeof node.value === 'string';
}

function namesIn(node: Node | null): readonly string[] {
  if (!node) return [];
  return node.type === 'Identifier' ? [node.name] : childrenOf(node).flatMap(namesIn);
}
