import {
  childrenOf,
  type FunctionNode,
  isFunction,
  keyName,
  type Node,
  type NodeOf,
  sourceOf,
  unwrap,
} from '../source/ast.js';
import type { Binding, Scopes } from '../source/scopes.js';

/** An expression that becomes the value of a parameter. */
export interface Passed {
  readonly into: Binding;
  readonly given: Node;
}

/** The functions a script gives names to, and what it hands to them where it calls them by name. */
export class OwnFunctions {
  readonly passed: readonly Passed[];
  readonly #scopes: Scopes;
  readonly #functions = new Map<Binding, FunctionNode>();
  readonly #calls: NodeOf<'CallExpression'>[] = [];

  constructor(program: Node, scopes: Scopes) {
    this.#scopes = scopes;
    this.#visit(program);
    this.passed = this.#calls.flatMap((call) => this.#passedBy(call));
  }

  /** The function an expression names, or is. */
  of(wrapped: Node): FunctionNode | undefined {
    const node = unwrap(wrapped);
    if (isFunction(node)) return node;
    const binding = this.#bindingOf(node);
    return binding && this.#functions.get(binding);
  }

  /** The result of a call to one of them, if the function is a single expression. */
  returnedBy(wrapped: Node): readonly Node[] {
    const call = sourceOf(wrapped);
    const name = call.type === 'CallExpression' ? unwrap(call.callee) : undefined;
    const body = name?.type === 'Identifier' ? this.of(name)?.body : undefined;
    if (!body) return [];
    if (body.type !== 'BlockStatement') return [unwrap(body)];
    const last = body.body.at(-1);
    return last?.type === 'ReturnStatement' && last.argument ? [unwrap(last.argument)] : [];
  }

  #visit(node: Node): void {
    if (node.type === 'FunctionDeclaration' && node.id) this.#note(node.id, node);
    if (node.type === 'VariableDeclarator' && node.init) this.#note(node.id, unwrap(node.init));
    if (node.type === 'CallExpression') this.#calls.push(node);
    for (const child of childrenOf(node)) this.#visit(child);
  }

  /** A name that is reassigned does not count as the name of a function. */
  #note(name: Node, node: Node): void {
    const binding = this.#bindingOf(name);
    const isFixed = binding?.writes.length === 0 && binding.declarations.length === 1;
    if (binding && isFixed && isFunction(node)) this.#functions.set(binding, node);
  }

  #passedBy({ callee, arguments: given }: NodeOf<'CallExpression'>): readonly Passed[] {
    const name = unwrap(callee);
    const called = name.type === 'Identifier' ? this.of(name) : undefined;
    if (!called) return [];
    // After a spread the positions of arguments are unknown.
    const spread = given.findIndex(({ type }) => type === 'SpreadElement');
    const known = spread < 0 ? given : given.slice(0, spread);
    return known.flatMap((one, index) => {
      const parameter = called.params[index];
      return parameter ? this.#passedInto(parameter, unwrap(one)) : [];
    });
  }

  #passedInto(parameter: Node, given: Node): readonly Passed[] {
    const pattern = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    if (pattern.type === 'Identifier') {
      const into = this.#bindingOf(pattern);
      return into?.writes.length === 0 ? [{ into, given }] : [];
    }
    if (pattern.type !== 'ObjectPattern' || given.type !== 'ObjectExpression') return [];
    const fields = fieldsOf(given);
    return pattern.properties.flatMap((property) => {
      const name = property.type === 'Property' ? keyName(property) : undefined;
      const value = name === undefined ? undefined : fields?.get(name);
      return property.type === 'Property' && value ? this.#passedInto(property.value, value) : [];
    });
  }

  #bindingOf(node: Node): Binding | undefined {
    return node.type === 'Identifier' ? this.#scopes.bindingOf(node) : undefined;
  }
}

/** The fields of an object that is written out, each once. */
function fieldsOf(node: NodeOf<'ObjectExpression'>): ReadonlyMap<string, Node> | undefined {
  const fields = new Map<string, Node>();
  for (const property of node.properties) {
    const name = property.type === 'Property' && !property.method ? keyName(property) : undefined;
    if (property.type !== 'Property' || name === undefined || fields.has(name)) return undefined;
    fields.set(name, unwrap(property.value));
  }
  return fields;
}
