import { childrenOf, keyName, memberName, type Node, sourceOf } from './ast.js';
import type { Binding, Identifier, Scopes } from './scopes.js';

/** Something reached from `mcp` or `cap`; a name computed at run time is undefined. */
export interface ToolPath {
  readonly root: 'mcp' | 'cap';
  readonly names: readonly (string | undefined)[];
}

/** No real script has longer chains of aliases. */
const MAX_ALIASES = 20;

/** Follows members and constant aliases back to `mcp` or `cap`. */
export class ToolPaths {
  readonly #scopes: Scopes;
  readonly #aliases: ReadonlyMap<
    Binding,
    { readonly from: Node; readonly names: ToolPath['names'] }
  >;

  constructor(scopes: Scopes, program: Node) {
    this.#scopes = scopes;
    const aliases = new Map<Binding, { from: Node; names: ToolPath['names'] }>();
    for (const { id, init } of declaratorsIn(program)) {
      for (const { node, names } of namesWithPaths(id)) {
        const binding = scopes.bindingOf(node);
        if (binding && binding.writes.length === 0) aliases.set(binding, { from: init, names });
      }
    }
    this.#aliases = aliases;
  }

  of(node: Node, depth = 0): ToolPath | undefined {
    if (depth > MAX_ALIASES) return undefined;
    const source = sourceOf(node);
    if (source.type === 'MemberExpression') {
      const object = this.of(source.object, depth);
      return object && { root: object.root, names: [...object.names, memberName(source)] };
    }
    if (source.type !== 'Identifier') return undefined;
    if (this.#scopes.isGlobal(source, 'mcp')) return { root: 'mcp', names: [] };
    if (this.#scopes.isGlobal(source, 'cap')) return { root: 'cap', names: [] };
    const binding = this.#scopes.bindingOf(source);
    const alias = binding && this.#aliases.get(binding);
    const path = alias && this.of(alias.from, depth + 1);
    return path && { root: path.root, names: [...path.names, ...alias.names] };
  }
}

function declaratorsIn(node: Node): readonly { readonly id: Node; readonly init: Node }[] {
  const inside = childrenOf(node).flatMap(declaratorsIn);
  if (node.type !== 'VariableDeclarator' || !node.init) return inside;
  return [{ id: node.id, init: node.init }, ...inside];
}

/** The names a pattern declares, each with the fields that lead to its value. */
function namesWithPaths(
  pattern: Node,
  path: readonly (string | undefined)[] = [],
): readonly { readonly node: Identifier; readonly names: readonly (string | undefined)[] }[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ node: pattern, names: path }];
    case 'AssignmentPattern':
      return namesWithPaths(pattern.left, path);
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        one.type === 'RestElement'
          ? namesWithPaths(one.argument, path)
          : namesWithPaths(one.value, [...path, keyName(one)]),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((one, index) => {
        if (!one) return [];
        return one.type === 'RestElement'
          ? namesWithPaths(one.argument, path)
          : namesWithPaths(one, [...path, String(index)]);
      });
    default:
      return [];
  }
}
