import {
  childrenOf,
  type FunctionNode,
  isErased,
  isFunction,
  type Node,
  type NodeOf,
} from './ast.js';

export type Identifier = NodeOf<'Identifier'>;

export interface Binding {
  readonly name: string;
  readonly kind: 'const' | 'let' | 'var' | 'function' | 'class' | 'parameter' | 'catch' | 'enum';
  /** The scope it belongs to; two bindings of one scope never share a name. */
  readonly scope: number;
  readonly declarations: Identifier[];
  /** Every other place that names it. */
  readonly references: Identifier[];
  /** Places that give it a new value after its declaration. */
  readonly writes: Identifier[];
}

export interface GlobalReference {
  readonly name: string;
  readonly node: Identifier;
  readonly isTypeof: boolean;
}

/** Which name means which variable. */
export interface Scopes {
  readonly bindings: readonly Binding[];
  /** Names the script does not declare: the language, `mcp`, `args`. */
  readonly globals: readonly GlobalReference[];
  /** The variable an identifier means, whether it declares or uses it; nothing for a global. */
  bindingOf(node: Identifier): Binding | undefined;
  isGlobal(node: Node, name: string): boolean;
}

interface Scope {
  readonly id: number;
  readonly parent: Scope | undefined;
  readonly isFunction: boolean;
  readonly names: Map<string, Binding>;
}

interface Use {
  readonly node: Identifier;
  readonly scope: Scope;
  readonly isWrite: boolean;
  readonly isTypeof: boolean;
}

/** Resolves names as strict code does: functions belong to the block they are written in. */
export function resolveScopes(program: NodeOf<'Program'>): Scopes {
  const resolver = new ScopeResolver();
  resolver.readProgram(program);
  return resolver.finish();
}

class ScopeResolver {
  readonly #bindings: Binding[] = [];
  readonly #byNode = new Map<Identifier, Binding>();
  readonly #uses: Use[] = [];
  #scopes = 0;

  readProgram(program: NodeOf<'Program'>): void {
    const scope = this.#open(undefined, true);
    this.#declareBlock(program.body, scope);
    for (const statement of program.body) this.#read(statement, scope);
  }

  finish(): Scopes {
    const globals: GlobalReference[] = [];
    for (const { node, scope, isWrite, isTypeof } of this.#uses) {
      const binding = lookUp(scope, node.name);
      if (!binding) {
        globals.push({ name: node.name, node, isTypeof });
        continue;
      }
      this.#byNode.set(node, binding);
      binding.references.push(node);
      if (isWrite) binding.writes.push(node);
    }
    const globalNodes = new Set<Node>(globals.map((one) => one.node));
    return {
      bindings: this.#bindings,
      globals,
      bindingOf: (node) => this.#byNode.get(node),
      isGlobal: (node, name) =>
        node.type === 'Identifier' && node.name === name && globalNodes.has(node),
    };
  }

  #open(parent: Scope | undefined, isFunctionScope = false): Scope {
    this.#scopes += 1;
    return { id: this.#scopes, parent, isFunction: isFunctionScope, names: new Map() };
  }

  #declare(scope: Scope, node: Identifier, kind: Binding['kind']): void {
    let binding = scope.names.get(node.name);
    if (!binding) {
      binding = {
        name: node.name,
        kind,
        scope: scope.id,
        declarations: [],
        references: [],
        writes: [],
      };
      scope.names.set(node.name, binding);
      this.#bindings.push(binding);
    }
    binding.declarations.push(node);
    this.#byNode.set(node, binding);
  }

  /** Declares what the statements of a block declare, before any of them is read. */
  #declareBlock(statements: readonly Node[], scope: Scope): void {
    for (const statement of statements) {
      if (isErased(statement)) continue;
      if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
        this.#declareVariables(statement, scope);
      } else if (statement.type === 'FunctionDeclaration' && statement.id) {
        this.#declare(scope, statement.id, 'function');
      } else if (statement.type === 'ClassDeclaration' && statement.id) {
        this.#declare(scope, statement.id, 'class');
      } else if (statement.type === 'TSEnumDeclaration') {
        this.#declare(scope, statement.id, 'enum');
      }
    }
    if (scope.isFunction) for (const one of statements) this.#declareVars(one, scope);
  }

  #declareVars(node: Node, scope: Scope): void {
    if (isFunction(node) || node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      return;
    }
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      this.#declareVariables(node, scope);
    }
    for (const child of childrenOf(node)) this.#declareVars(child, scope);
  }

  #declareVariables(node: NodeOf<'VariableDeclaration'>, scope: Scope): void {
    const kind = node.kind === 'let' || node.kind === 'var' ? node.kind : 'const';
    for (const { id } of node.declarations) {
      for (const name of boundNames(id)) this.#declare(scope, name, kind);
    }
  }

  #read(node: Node, scope: Scope): void {
    if (isErased(node)) return;
    if (isFunction(node)) return this.#readFunction(node, scope);
    switch (node.type) {
      case 'Identifier':
        return this.#use(node, scope);
      case 'MemberExpression':
        this.#read(node.object, scope);
        if (node.computed) this.#read(node.property, scope);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) this.#read(node.key, scope);
        if (node.value) this.#read(node.value, scope);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#readBlock(node.body, this.#open(scope, node.type === 'StaticBlock'));
      case 'SwitchStatement':
        return this.#readSwitch(node, scope);
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#readLoop(node, scope);
      case 'CatchClause':
        return this.#readCatch(node, scope);
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#readClass(node, scope);
      case 'VariableDeclarator':
        this.#readPattern(node.id, scope);
        if (node.init) this.#read(node.init, scope);
        return;
      case 'AssignmentExpression':
        this.#readTarget(node.left, scope);
        return this.#read(node.right, scope);
      case 'UpdateExpression':
        return this.#readTarget(node.argument, scope);
      case 'UnaryExpression':
        if (node.operator === 'typeof' && node.argument.type === 'Identifier') {
          this.#uses.push({ node: node.argument, scope, isWrite: false, isTypeof: true });
          return;
        }
        return this.#read(node.argument, scope);
      case 'LabeledStatement':
        return this.#read(node.body, scope);
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return;
      case 'TSEnumDeclaration':
        return this.#readEnum(node, scope);
      default:
        for (const child of childrenOf(node)) this.#read(child, scope);
    }
  }

  #use(node: Identifier, scope: Scope, isWrite = false): void {
    this.#uses.push({ node, scope, isWrite, isTypeof: false });
  }

  #readBlock(statements: readonly Node[], scope: Scope): void {
    this.#declareBlock(statements, scope);
    for (const statement of statements) this.#read(statement, scope);
  }

  #readSwitch(node: NodeOf<'SwitchStatement'>, scope: Scope): void {
    this.#read(node.discriminant, scope);
    const inner = this.#open(scope);
    this.#declareBlock(
      node.cases.flatMap((one) => one.consequent),
      inner,
    );
    for (const one of node.cases) this.#read(one, inner);
  }

  #readLoop(
    node: NodeOf<'ForStatement' | 'ForInStatement' | 'ForOfStatement'>,
    scope: Scope,
  ): void {
    const inner = this.#open(scope);
    const head = node.type === 'ForStatement' ? node.init : node.left;
    if (head?.type === 'VariableDeclaration' && head.kind !== 'var') {
      this.#declareVariables(head, inner);
    }
    if (node.type === 'ForStatement') {
      for (const child of childrenOf(node)) this.#read(child, inner);
      return;
    }
    if (node.left.type === 'VariableDeclaration') this.#read(node.left, inner);
    else this.#readTarget(node.left, inner);
    this.#read(node.right, inner);
    this.#read(node.body, inner);
  }

  #readCatch(node: NodeOf<'CatchClause'>, scope: Scope): void {
    const inner = this.#open(scope);
    if (node.param) {
      for (const name of boundNames(node.param)) this.#declare(inner, name, 'catch');
      this.#readPattern(node.param, inner);
    }
    this.#read(node.body, inner);
  }

  #readClass(node: NodeOf<'ClassDeclaration' | 'ClassExpression'>, scope: Scope): void {
    let inner = scope;
    if (node.type === 'ClassExpression' && node.id) {
      inner = this.#open(scope);
      this.#declare(inner, node.id, 'class');
    }
    for (const child of childrenOf(node)) if (child !== node.id) this.#read(child, inner);
  }

  #readEnum(node: NodeOf<'TSEnumDeclaration'>, scope: Scope): void {
    // Members may name earlier members, which only a compiler of enums can tell apart.
    for (const { initializer } of node.body.members)
      if (initializer) this.#read(initializer, scope);
  }

  #readFunction(node: FunctionNode, scope: Scope): void {
    let outer = scope;
    if (node.type === 'FunctionExpression' && node.id) {
      outer = this.#open(scope);
      this.#declare(outer, node.id, 'function');
    }
    const inner = this.#open(outer);
    for (const parameter of node.params) {
      for (const name of boundNames(parameter)) this.#declare(inner, name, 'parameter');
    }
    for (const parameter of node.params) this.#readPattern(parameter, inner);
    if (!node.body) return;
    // Defaults of parameters do not see what the body declares.
    if (node.body.type === 'BlockStatement')
      this.#readBlock(node.body.body, this.#open(inner, true));
    else this.#read(node.body, inner);
  }

  /** Reads defaults and computed keys of a declaration; its names are declared already. */
  #readPattern(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'Identifier':
        return;
      case 'AssignmentPattern':
        this.#readPattern(node.left, scope);
        return this.#read(node.right, scope);
      case 'RestElement':
        return this.#readPattern(node.argument, scope);
      case 'TSParameterProperty':
        return this.#readPattern(node.parameter, scope);
      case 'Property':
        if (node.computed) this.#read(node.key, scope);
        return this.#readPattern(node.value, scope);
      default:
        for (const child of childrenOf(node)) this.#readPattern(child, scope);
    }
  }

  /** Reads the left side of an assignment. */
  #readTarget(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'Identifier':
        return this.#use(node, scope, true);
      case 'MemberExpression':
        return this.#read(node, scope);
      case 'AssignmentPattern':
        this.#readTarget(node.left, scope);
        return this.#read(node.right, scope);
      case 'Property':
        if (node.computed) this.#read(node.key, scope);
        return this.#readTarget(node.value, scope);
      default:
        for (const child of childrenOf(node)) this.#readTarget(child, scope);
    }
  }
}

/** The names a pattern declares, in the order they are written. */
function boundNames(node: Node): readonly Identifier[] {
  switch (node.type) {
    case 'Identifier':
      return [node];
    case 'AssignmentPattern':
      return boundNames(node.left);
    case 'RestElement':
      return boundNames(node.argument);
    case 'TSParameterProperty':
      return boundNames(node.parameter);
    case 'Property':
      return boundNames(node.value);
    default:
      return childrenOf(node).flatMap(boundNames);
  }
}

function lookUp(scope: Scope | undefined, name: string): Binding | undefined {
  for (let one = scope; one; one = one.parent) {
    const binding = one.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}
