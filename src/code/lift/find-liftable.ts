import type { JsonValue } from '../../core/index.js';
import {
  childrenOf,
  isFunction,
  keyName,
  memberName,
  type Node,
  type NodeOf,
  unwrap,
} from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { Binding, Identifier } from '../source/scopes.js';
import { ToolPaths } from '../source/tool-path.js';
import { ListReads, type Walk } from './list-reads.js';
import { OwnFunctions } from './own-functions.js';
import { pluralOf } from './parameter-names.js';
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
  /** It is a list whose elements go there one by one. */
  readonly isList?: boolean;
}

/** Shorter names of variables say less than the parameter's. */
const SAYING = 3;

/**
 * Finds the literals that reach tools as arguments: directly, by a constant or a field of one, one by
 * one from a list, or by a parameter of a function of the script and its default.
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

/** A field of a variable that is an argument: `trip.city`. */
interface FieldUse {
  readonly of: Binding;
  readonly name: string;
  readonly role: Target;
}

class LiftableFinder {
  readonly #code: ParsedCode;
  /** Secrets are never data of the task and never part of a default. */
  readonly #secrets: ReadonlySet<Node>;
  readonly #paths: ToolPaths;
  readonly #functions: OwnFunctions;
  readonly #lists: ListReads;
  readonly #found = new Map<Node, Liftable>();
  /** Variables that are arguments, with what they stand for. */
  readonly #used = new Map<Binding, Role>();
  /** Values of variables that never change, and defaults of parameters without an argument. */
  readonly #constants = new Map<Binding, Node>();
  readonly #fields: FieldUse[] = [];
  readonly #walks: Walk[] = [];
  /** Lists of which an element is taken by its number. */
  readonly #indexed = new Map<Binding, Target>();

  constructor(code: ParsedCode, secrets: ReadonlySet<Node>) {
    this.#code = code;
    this.#secrets = secrets;
    this.#paths = new ToolPaths(code.scopes, code.program);
    this.#functions = new OwnFunctions(code.program, code.scopes);
    this.#lists = new ListReads(code.program, {
      scopes: code.scopes,
      paths: this.#paths,
      functions: this.#functions,
    });
  }

  found(): readonly Liftable[] {
    // Iterating a map or a list also visits entries that are added meanwhile.
    for (const [binding, role] of this.#used) {
      for (const node of this.#sourcesOf(binding)) this.#liftPassed(node, role, namesFor(binding));
    }
    for (const { of, name, role } of this.#fields) {
      for (const node of this.#sourcesOf(of)) this.#liftField(node, name, role);
    }
    for (const { list, element } of this.#walks) {
      const reached = this.#reachedBy(element);
      if (reached) this.#liftList(list, reached.target, reached.names);
    }
    for (const [list, target] of this.#indexed) {
      for (const node of this.#sourcesOf(list))
        this.#liftArray(node, [list], { target, names: [] });
    }
    return [...this.#found.values()].toSorted((one, other) => one.node.start - other.node.start);
  }

  visit(node: Node): void {
    if (node.type === 'CallExpression') this.#visitCall(node);
    if (node.type === 'VariableDeclaration') this.#noteConstants(node);
    if (isFunction(node)) for (const parameter of node.params) this.#noteDefaults(parameter);
    const walk = this.#lists.walkOf(node);
    if (walk) this.#walks.push(walk);
    for (const child of childrenOf(node)) this.visit(child);
  }

  #visitCall(node: NodeOf<'CallExpression'>): void {
    const path = this.#paths.of(unwrap(node.callee));
    const [given] = node.arguments;
    if (!path || !given) return;
    const tool =
      path.root === 'cap' ? `cap:${path.names[0] ?? ''}` : path.names.slice(0, 2).join(':');
    this.#visitInput(unwrap(given), tool);
  }

  #visitInput(input: Node, tool: string): void {
    if (input.type === 'Identifier') this.#use(input, { tool });
    for (const one of this.#functions.returnedBy(input)) this.#liftPassed(one, { tool }, []);
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
    else if (node.type === 'MemberExpression') this.#useMember(node, target);
    else for (const one of this.#functions.returnedBy(node)) this.#liftPassed(one, target, []);
  }

  #use(node: Identifier, role: Role): void {
    const binding = this.#code.scopes.bindingOf(node);
    if (binding && !this.#used.has(binding)) this.#used.set(binding, role);
  }

  #useMember(node: NodeOf<'MemberExpression'>, role: Target): void {
    const object = unwrap(node.object);
    const binding = object.type === 'Identifier' && this.#code.scopes.bindingOf(object);
    if (!binding) return;
    const name = memberName(node);
    if (name === undefined || /^\d+$/.test(name)) this.#indexed.set(binding, role);
    else if (!this.#fields.some((one) => one.of === binding && one.name === name)) {
      this.#fields.push({ of: binding, name, role });
    }
  }

  #holdsSecret(node: Node): boolean {
    return this.#secrets.has(node) || childrenOf(node).some((child) => this.#holdsSecret(child));
  }

  #add(
    node: Node,
    value: JsonValue,
    { names, field, isList, ...target }: Target & { names: readonly string[]; isList?: boolean },
  ): void {
    const action = target.tool.slice(target.tool.indexOf(':') + 1);
    const last = isList ? pluralOf(field) : field;
    const wishes = [...names, last, `${action}-${last}`];
    this.#found.set(node, { node, value, ...target, wishes, ...(isList && { isList }) });
  }

  #noteConstants({ declarations }: NodeOf<'VariableDeclaration'>): void {
    for (const { id, init } of declarations) if (init) this.#note(id, init);
  }

  #noteDefaults(pattern: Node): void {
    if (pattern.type === 'AssignmentPattern') this.#note(pattern.left, pattern.right);
    for (const child of pattern.type === 'AssignmentPattern'
      ? [pattern.left]
      : childrenOf(pattern)) {
      this.#noteDefaults(child);
    }
  }

  #note(name: Node, value: Node): void {
    const binding = name.type === 'Identifier' && this.#code.scopes.bindingOf(name);
    const isFixed = binding && binding.writes.length === 0 && binding.declarations.length === 1;
    if (isFixed) this.#constants.set(binding, unwrap(value));
  }

  /** What a variable may hold: its constant or default, and what the script hands to it. */
  #sourcesOf(binding: Binding): readonly Node[] {
    const constant = this.#constants.get(binding);
    const passed = this.#functions.passed.filter(({ into }) => into === binding);
    return [...(constant ? [constant] : []), ...passed.map(({ given }) => given)];
  }

  /** What the elements of a list are for, by the variables that take them. */
  #reachedBy(
    element: Node,
  ): { readonly target: Target; readonly names: readonly string[] } | undefined {
    for (const binding of this.#bindingsOf(element)) {
      const used = this.#used.get(binding);
      const own = used && 'field' in used ? used : undefined;
      const target = own ?? this.#fields.find(({ of }) => of === binding)?.role;
      const names = element.type === 'Identifier' ? namesFor(binding).map(pluralOf) : [];
      if (target) return { target, names };
    }
    return undefined;
  }

  #bindingsOf(pattern: Node): readonly Binding[] {
    const inside = childrenOf(pattern).flatMap((one) => this.#bindingsOf(one));
    const own = pattern.type === 'Identifier' && this.#code.scopes.bindingOf(pattern);
    return own ? [own, ...inside] : inside;
  }

  /**
   * Texts and numbers are immutable, so any of them may come from outside, alone or as a field.
   * Lists and objects are not: if the code creates one each time, lifting would merge them all.
   */
  #liftPassed(node: Node, role: Role, names: readonly string[]): void {
    if (node.type === 'Identifier') return this.#use(node, role);
    if (node.type === 'ObjectExpression') return this.#liftFields(node, role);
    if (!('field' in role) || this.#found.has(node)) return;
    if (node.type === 'MemberExpression') return this.#useMember(node, role);
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

  /** The one field of an object that is an argument; the others are not for a tool. */
  #liftField(node: Node, name: string, role: Target): void {
    if (node.type !== 'ObjectExpression') return;
    for (const property of node.properties) {
      const isIt = property.type === 'Property' && !property.method && keyName(property) === name;
      if (isIt) this.#liftPassed(unwrap(property.value), role, [name]);
    }
  }

  #liftList(list: Node, target: Target, names: readonly string[]): void {
    const seen = new Set<Binding>();
    const follow = (node: Node, wishes: readonly string[]): void => {
      const binding = node.type === 'Identifier' && this.#code.scopes.bindingOf(node);
      if (!binding) return this.#liftArray(node, [...seen], { target, names: wishes });
      if (seen.has(binding)) return;
      seen.add(binding);
      const own = namesFor(binding);
      for (const one of this.#sourcesOf(binding)) follow(one, own.length > 0 ? own : wishes);
    };
    follow(list, names);
  }

  /** Lists that are written out and only ever read; `through` are the variables that hold them. */
  #liftArray(
    node: Node,
    through: readonly Binding[],
    { target, names }: { readonly target: Target; readonly names: readonly string[] },
  ): void {
    const value = node.type === 'ArrayExpression' ? plainValue(node) : undefined;
    if (!Array.isArray(value) || value.length === 0 || this.#found.has(node)) return;
    const isFlat = value.every((one) => typeof one !== 'object');
    if (!isFlat && !value.every(isFlatObject)) return;
    const isRead = through.every((one) => this.#lists.isOnlyRead(one, isFlat));
    const walks = this.#walks.filter(({ list }) => {
      const binding = list.type === 'Identifier' && this.#code.scopes.bindingOf(list);
      return list === node || (binding && through.includes(binding));
    });
    const isKept = isFlat || walks.every(({ element }) => this.#lists.keepsElements(element));
    if (!isRead || !isKept || this.#holdsSecret(node)) return;
    this.#add(node, value, { ...target, names, isList: true });
  }
}

/** Holds only texts, numbers and the like, which are immutable. */
function isFlatObject(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

function namesFor({ name }: Binding): readonly string[] {
  return name.length >= SAYING ? [name] : [];
}
