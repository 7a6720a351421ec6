import type { JsonValue } from '../../core/index.js';
import { childrenOf, keyName, memberName, type Node, type NodeOf, unwrap } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { Binding, Identifier } from '../source/scopes.js';
import { ToolPaths } from '../source/tool-path.js';
import { OwnFunctions } from './own-functions.js';
import { plainValue } from './plain-value.js';

/** A literal that is data of the task, not of the procedure. */
export interface Liftable {
  readonly node: Node;
  readonly value: JsonValue;
  /** Names for it, best first. */
  readonly wishes: readonly string[];
  /** The parameter of a tool it goes to. */
  readonly tool: string;
  readonly parameter: string;
}

/** Methods that read a list without changing it. */
const READING = new Set(['every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some']);

/** Shorter names of variables say less than the parameter's. */
const SAYING = 3;

/**
 * Finds the literals that reach tools as arguments: directly, by a constant, one by one from a list, or
 * by a parameter of a function of the script.
 */
export function findLiftable(code: ParsedCode, secrets: ReadonlySet<Node>): readonly Liftable[] {
  const finder = new LiftableFinder(code, secrets);
  finder.visit(code.program);
  return finder.found();
}

interface Target {
  readonly tool: string;
  readonly parameter: string;
  /** The innermost field. */
  readonly field: string;
}

/** What a variable stands for: a value, or all the input of a tool. */
type Role = Target | { readonly tool: string };

class LiftableFinder {
  readonly #code: ParsedCode;
  /** They are nobody's data and never part of a default. */
  readonly #secrets: ReadonlySet<Node>;
  readonly #paths: ToolPaths;
  readonly #functions: OwnFunctions;
  readonly #found = new Map<Node, Liftable>();
  /** Variables that are arguments, with what they stand for. */
  readonly #used = new Map<Binding, Role>();
  readonly #constants = new Map<Binding, Node>();
  /** Lists that are gone through, with the variables that hold their elements. */
  readonly #lists: { readonly list: Binding; readonly elements: readonly Binding[] }[] = [];

  constructor(code: ParsedCode, secrets: ReadonlySet<Node>) {
    this.#code = code;
    this.#secrets = secrets;
    this.#paths = new ToolPaths(code.scopes, code.program);
    this.#functions = new OwnFunctions(code.program, code.scopes);
  }

  found(): readonly Liftable[] {
    // A map is gone through to its end, also where it grows meanwhile.
    for (const [binding, role] of this.#used) {
      this.#liftConstant(binding, role);
      for (const { into, given } of this.#functions.passed) {
        if (into === binding) this.#liftPassed(given, role, namesFor(binding));
      }
    }
    for (const { list, elements } of this.#lists) {
      const target = elements
        .map((one) => this.#used.get(one))
        .find((one) => one !== undefined && 'field' in one);
      if (target && 'field' in target) this.#liftList(list, target);
    }
    return [...this.#found.values()].toSorted((one, other) => one.node.start - other.node.start);
  }

  visit(node: Node): void {
    if (node.type === 'CallExpression') this.#visitCall(node);
    if (node.type === 'VariableDeclaration' && node.kind === 'const') this.#noteConstants(node);
    if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') {
      const names = node.left.declarations.flatMap(({ id }) => this.#bindingsOf(id));
      this.#noteList(node.right, names);
    }
    for (const child of childrenOf(node)) this.visit(child);
  }

  #visitCall(node: NodeOf<'CallExpression'>): void {
    const callee = unwrap(node.callee);
    const path = this.#paths.of(callee);
    const [given] = node.arguments;
    if (path && given) {
      const tool =
        path.root === 'cap' ? `cap:${path.names[0] ?? ''}` : path.names.slice(0, 2).join(':');
      this.#visitInput(unwrap(given), tool);
      return;
    }
    if (callee.type !== 'MemberExpression' || !READING.has(memberName(callee) ?? '')) return;
    const [first] = (given && this.#functions.of(given)?.params) ?? [];
    if (first) this.#noteList(callee.object, this.#bindingsOf(first));
  }

  #visitInput(input: Node, tool: string): void {
    if (input.type === 'Identifier') this.#use(input, { tool });
    if (input.type !== 'ObjectExpression') return;
    this.#visitFields(input, { tool });
    for (const property of input.properties) {
      if (property.type === 'SpreadElement') this.#visitInput(unwrap(property.argument), tool);
    }
  }

  #visitFields(
    node: NodeOf<'ObjectExpression'>,
    { tool, parameter }: { readonly tool: string; readonly parameter?: string },
  ): void {
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.method) continue;
      const field = keyName(property);
      if (field === undefined) continue;
      this.#visitValue(property.value, { tool, parameter: parameter ?? field, field });
    }
  }

  #visitValue(wrapped: Node, target: Target): void {
    const node = unwrap(wrapped);
    const value = plainValue(node);
    if (value === null) return;
    if (value !== undefined && !this.#holdsSecret(node)) {
      this.#add(node, value, { ...target, names: [] });
    } else if (node.type === 'ObjectExpression') this.#visitFields(node, target);
    else if (node.type === 'ArrayExpression') {
      for (const element of node.elements) if (element) this.#visitValue(element, target);
    } else if (node.type === 'Identifier') this.#use(node, target);
  }

  #use(node: Identifier, role: Role): void {
    const binding = this.#code.scopes.bindingOf(node);
    if (binding && !this.#used.has(binding)) this.#used.set(binding, role);
  }

  #holdsSecret(node: Node): boolean {
    return this.#secrets.has(node) || childrenOf(node).some((child) => this.#holdsSecret(child));
  }

  #add(
    node: Node,
    value: JsonValue,
    { tool, parameter, field, names }: Target & { readonly names: readonly string[] },
  ): void {
    const action = tool.slice(tool.indexOf(':') + 1);
    const wishes = [...names, field, `${action}-${field}`];
    this.#found.set(node, { node, value, tool, parameter, wishes });
  }

  #noteConstants(node: NodeOf<'VariableDeclaration'>): void {
    for (const { id, init } of node.declarations) {
      const binding = id.type === 'Identifier' && this.#code.scopes.bindingOf(id);
      if (binding && init) this.#constants.set(binding, unwrap(init));
    }
  }

  #noteList(list: Node, elements: readonly Binding[]): void {
    const source = unwrap(list);
    const binding = source.type === 'Identifier' && this.#code.scopes.bindingOf(source);
    if (binding) this.#lists.push({ list: binding, elements });
  }

  #bindingsOf(pattern: Node): readonly Binding[] {
    const inside = childrenOf(pattern).flatMap((one) => this.#bindingsOf(one));
    const own = pattern.type === 'Identifier' && this.#code.scopes.bindingOf(pattern);
    return own ? [own, ...inside] : inside;
  }

  #liftConstant(binding: Binding, role: Role): void {
    const node = this.#constants.get(binding);
    if (node) this.#liftPassed(node, role, namesFor(binding));
  }

  /**
   * Texts and numbers cannot be changed, so any of them may come from outside, on its own or as a field.
   * Lists and objects can: where one is made anew each time, all would become one.
   */
  #liftPassed(node: Node, role: Role, names: readonly string[]): void {
    if (node.type === 'Identifier') return this.#use(node, role);
    if (node.type === 'ObjectExpression') return this.#liftFields(node, role);
    if (!('field' in role) || this.#found.has(node)) return;
    const value = plainValue(node);
    if (value === undefined || value === null || typeof value === 'object') return;
    if (!this.#holdsSecret(node)) this.#add(node, value, { ...role, names });
  }

  #liftFields(node: NodeOf<'ObjectExpression'>, role: Role): void {
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.method || property.kind !== 'init') continue;
      const field = keyName(property);
      if (field === undefined) continue;
      const parameter = 'field' in role ? role.parameter : field;
      this.#liftPassed(unwrap(property.value), { tool: role.tool, parameter, field }, []);
    }
  }

  /** Lists of texts or numbers that are written once and only ever gone through. */
  #liftList(binding: Binding, target: Target): void {
    const node = this.#constants.get(binding);
    const value = node && plainValue(node);
    if (!node || !Array.isArray(value) || value.length === 0 || binding.scope !== OUTERMOST) return;
    const isPlain = value.every((one) => typeof one !== 'object');
    const uses = this.#lists.filter((one) => one.list === binding).length;
    if (isPlain && !this.#holdsSecret(node) && uses === binding.references.length) {
      this.#add(node, value, { ...target, names: namesFor(binding) });
    }
  }
}

/** The scope of the script itself, the first one that is opened. */
const OUTERMOST = 1;

function namesFor({ name }: Binding): readonly string[] {
  return name.length >= SAYING ? [name] : [];
}
