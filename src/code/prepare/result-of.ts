import { isErased, type Node, type NodeOf } from '../source/ast.js';

/** The statement whose value is the result: the last one that is not a mere declaration. */
export function resultOf(program: NodeOf<'Program'>): NodeOf<'ExpressionStatement'> | undefined {
  const last = program.body.findLast((one) => !isErased(one) && !hasNoValue(one));
  return last?.type === 'ExpressionStatement' ? last : undefined;
}

function hasNoValue(node: Node): boolean {
  return node.type === 'EmptyStatement' || node.type === 'FunctionDeclaration';
}
