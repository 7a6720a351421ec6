import { childrenOf, type Node, type NodeOf } from '../source/ast.js';
import { meet } from './flow-graph.js';
import { evaluate as evaluateNode } from './follow-expressions.js';
import { assignPattern, declarePattern } from './follow-patterns.js';
import { fieldOf, NOTHING, UNKNOWN, type Value } from './values.js';
import type { Walk } from './walk.js';

type Loop = NodeOf<
  'ForStatement' | 'ForInStatement' | 'ForOfStatement' | 'WhileStatement' | 'DoWhileStatement'
>;

/** Follows the body of a script or function; where it ends, its caller goes on. */
export function runBody(walk: Walk, body: Node): void {
  const statements = 'body' in body && Array.isArray(body.body) ? (body.body as Node[]) : [];
  if (followAll(walk, statements)) walk.frames.at(-1)?.fronts.push(walk.graph.front);
}

const evaluate = (walk: Walk, node: Node): Value => evaluateNode(walk, node, runBody);

/** Follows statements one after another; gives whether the last one lets the next one happen. */
function followAll(walk: Walk, statements: readonly Node[]): boolean {
  for (const one of statements) {
    if (one.type === 'FunctionDeclaration' && one.id) {
      walk.declare(one.id, { kind: 'function', node: one });
    }
  }
  return statements.every((one) => follow(walk, one));
}

function follow(walk: Walk, node: Node): boolean {
  const value = (one: Node) => evaluate(walk, one);
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'EmptyStatement':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return true;
    case 'ExpressionStatement':
      walk.last = { node, value: value(node.expression) };
      return true;
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations) {
        declarePattern(walk, id, init ? value(init) : NOTHING, value);
      }
      return true;
    case 'ReturnStatement': {
      const frame = walk.frames.at(-1);
      frame?.returns.push(node.argument ? value(node.argument) : NOTHING);
      frame?.fronts.push(walk.graph.front);
      return false;
    }
    case 'ThrowStatement':
      value(node.argument);
      return false;
    case 'BreakStatement':
    case 'ContinueStatement':
      return followJump(walk, node);
    case 'BlockStatement':
    case 'StaticBlock':
      return followAll(walk, node.body);
    case 'LabeledStatement':
      return follow(walk, node.body) || true;
    case 'IfStatement':
      return followIf(walk, node);
    case 'SwitchStatement':
      return followSwitch(walk, node);
    case 'TryStatement':
      return followTry(walk, node);
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      followLoop(walk, node);
      return true;
    case 'ClassDeclaration':
      if (node.superClass) value(node.superClass);
      return true;
    default:
      for (const child of childrenOf(node)) value(child);
      return true;
  }
}

function followJump(walk: Walk, node: NodeOf<'BreakStatement' | 'ContinueStatement'>): boolean {
  const target = walk.breaks.at(-1);
  if (node.type === 'BreakStatement' && !node.label && target?.isSwitch) {
    target.fronts.push(walk.graph.front);
  }
  return false;
}

interface Branch {
  readonly name: string;
  /** Gives whether what comes after the decision can come after this branch. */
  readonly follow: () => boolean;
}

/** A decision, unless no branch does anything and all of them lead on. */
function decide(
  walk: Walk,
  decision: { node: Node; form: 'if' | 'switch' | 'try'; on: string },
  branches: readonly Branch[],
): boolean {
  const { graph } = walk;
  const before = graph.front;
  const { node, form, on } = decision;
  const id = graph.add({ kind: 'decision', form, on }, walk.span(node));
  const fronts: (typeof before)[] = [];
  const ends: string[] = [];
  let isNeeded = false;
  for (const { name, follow: followBranch } of branches) {
    let leadsOn = true;
    const adds = graph.inside(id, name, () => {
      leadsOn = walk.uncertain(followBranch);
    });
    isNeeded ||= adds || !leadsOn;
    if (leadsOn) fronts.push(adds || id === undefined ? graph.front : [{ node: id }]);
    else ends.push(name);
  }
  if (id !== undefined && !isNeeded) graph.drop(id, before);
  else {
    if (id !== undefined) graph.noteEnds(id, ends);
    graph.front = meet(...fronts);
  }
  return fronts.length > 0;
}

function followIf(walk: Walk, node: NodeOf<'IfStatement'>): boolean {
  evaluate(walk, node.test);
  const { consequent, alternate } = node;
  return decide(walk, { node, form: 'if', on: walk.shown(node.test) }, [
    { name: 'then', follow: () => follow(walk, consequent) },
    { name: 'else', follow: () => !alternate || follow(walk, alternate) },
  ]);
}

function followSwitch(walk: Walk, node: NodeOf<'SwitchStatement'>): boolean {
  evaluate(walk, node.discriminant);
  const target = { isSwitch: true, fronts: [] as (typeof walk.graph.front)[] };
  const branches = node.cases.map((one, index): Branch => {
    return {
      name: one.test ? `case ${walk.shown(one.test)}` : 'default',
      follow: () => {
        if (one.test) evaluate(walk, one.test);
        // Without `break` a case continues with the next.
        const statements = node.cases.slice(index).flatMap((other) => other.consequent);
        target.fronts.length = 0;
        walk.breaks.push(target);
        const leadsOn = followAll(walk, one.consequent.length > 0 ? one.consequent : statements);
        walk.breaks.pop();
        if (leadsOn) target.fronts.push(walk.graph.front);
        if (target.fronts.length > 0) walk.graph.front = meet(...target.fronts);
        return target.fronts.length > 0;
      },
    };
  });
  const hasDefault = node.cases.some((one) => !one.test);
  if (!hasDefault) branches.push({ name: 'otherwise', follow: () => true });
  return decide(walk, { node, form: 'switch', on: walk.shown(node.discriminant) }, branches);
}

function followTry(walk: Walk, node: NodeOf<'TryStatement'>): boolean {
  const { block, handler, finalizer } = node;
  const leadsOn = handler ? followHandled(walk, node, handler) : follow(walk, block);
  if (!finalizer) return leadsOn;
  return follow(walk, finalizer) && leadsOn;
}

/** What is tried is certain as long as nothing fails, so only the way after a failure is a branch. */
function followHandled(
  walk: Walk,
  node: NodeOf<'TryStatement'>,
  handler: NodeOf<'CatchClause'>,
): boolean {
  const { graph } = walk;
  const triedFully = follow(walk, node.block);
  const front = graph.front;
  if (handler.param) {
    declarePattern(walk, handler.param, UNKNOWN, (one) => evaluate(walk, one));
  }
  let handled = true;
  const isDecision = graph.nodes.length;
  const rescued = decide(walk, { node, form: 'try', on: 'an error' }, [
    {
      name: 'catch',
      follow: () => {
        handled = follow(walk, handler.body);
        return handled;
      },
    },
  ]);
  const isKept = graph.nodes.length > isDecision;
  if (!isKept || !triedFully) return triedFully || rescued;
  graph.front = meet(...(handled ? [graph.front] : []), [{ node: lastDecision(walk) }], front);
  return true;
}

function lastDecision(walk: Walk): string {
  return (
    walk.graph.nodes.findLast((one) => one.kind === 'decision' && one.form === 'try')?.id ?? ''
  );
}

/** Loops in loops in which values of the round before are followed. */
const MAX_LEVELS = 4;

const FORMS = {
  ForStatement: 'for',
  ForInStatement: 'for-in',
  ForOfStatement: 'for-of',
  WhileStatement: 'while',
  DoWhileStatement: 'do-while',
} as const;

function followLoop(walk: Walk, node: Loop): void {
  const { graph } = walk;
  const over = enterLoop(walk, node);
  const before = graph.front;
  const isAwaited = node.type === 'ForOfStatement' && node.await;
  const form = isAwaited ? 'for-await' : FORMS[node.type];
  const on = walk.shown(loopSubject(node));
  const loop = graph.add({ kind: 'loop', form, on }, walk.span(node));
  const adds = graph.inside(loop, undefined, () => {
    const round = () => walk.uncertain(() => followRound(walk, node, over));
    // Each level doubles the work.
    if (walk.breaks.length < MAX_LEVELS) graph.twice(round);
    else round();
  });
  if (loop === undefined) return;
  if (adds) graph.front = [{ node: loop }];
  else graph.drop(loop, before);
}

function followRound(walk: Walk, node: Loop, over: Value): void {
  walk.breaks.push({ isSwitch: false, fronts: [] });
  bindElement(walk, node, over);
  if (node.type === 'WhileStatement' || node.type === 'ForStatement') {
    if (node.test) evaluate(walk, node.test);
  }
  follow(walk, node.body);
  if (node.type === 'DoWhileStatement') evaluate(walk, node.test);
  if (node.type === 'ForStatement' && node.update) evaluate(walk, node.update);
  walk.breaks.pop();
}

/** What happens once, before the first round. */
function enterLoop(walk: Walk, node: Loop): Value {
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
    return evaluate(walk, node.right);
  }
  if (node.type === 'ForStatement' && node.init) {
    if (node.init.type === 'VariableDeclaration') follow(walk, node.init);
    else evaluate(walk, node.init);
  }
  return UNKNOWN;
}

function bindElement(walk: Walk, node: Loop, over: Value): void {
  if (node.type !== 'ForInStatement' && node.type !== 'ForOfStatement') return;
  const element = node.type === 'ForOfStatement' ? fieldOf(over, undefined) : UNKNOWN;
  const value = (one: Node) => evaluate(walk, one);
  if (node.left.type !== 'VariableDeclaration') {
    assignPattern(walk, node.left, element, value);
    return;
  }
  const [declared] = node.left.declarations;
  if (declared) declarePattern(walk, declared.id, element, value);
}

function loopSubject(node: Loop): Node {
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') return node.right;
  return node.test ?? node.body;
}
