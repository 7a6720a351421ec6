import type { CodeStructure, ValueReference, StructureNode, ValueSource } from './structure.js';

/** Longer texts in arguments are shortened. */
const MAX_TEXT = 40;

/** The steps of code as an indented tree, one line each, with where their arguments come from. */
export function formatStructure(structure: CodeStructure): readonly string[] {
  const { nodes, result, isCut } = structure;
  const children = new Map<string, StructureNode[]>();
  for (const node of nodes) {
    const key = node.within ? keyOf(node.within.node, node.within.branch) : '';
    children.set(key, [...(children.get(key) ?? []), node]);
  }
  const branches = branchesOf(nodes);
  const endsOf = (node: StructureNode) => (node.kind === 'decision' ? (node.ends ?? []) : []);
  const lines: string[] = [];
  const write = (key: string, indent: string): void => {
    for (const node of children.get(key) ?? []) {
      if (node.kind === 'join') continue;
      lines.push(`${indent}${describe(node)}`);
      write(keyOf(node.id), `${indent}  `);
      for (const branch of new Set([...(branches.get(node.id) ?? []), ...endsOf(node)])) {
        lines.push(`${indent}  ${branch}:`);
        write(keyOf(node.id, branch), `${indent}    `);
        if (endsOf(node).includes(branch)) lines.push(`${indent}    and ends here`);
      }
    }
  };
  write('', '');
  if (isCut) lines.push('…');
  return [...lines, `result ${describeValue(result)}`];
}

function keyOf(node: string, branch?: string): string {
  return branch === undefined ? node : `${node} ${branch}`;
}

function branchesOf(nodes: readonly StructureNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const branches = new Map<string, Set<string>>();
  for (const { within } of nodes) {
    if (within?.branch === undefined) continue;
    branches.set(within.node, (branches.get(within.node) ?? new Set()).add(within.branch));
  }
  return branches;
}

function describe(node: StructureNode): string {
  switch (node.kind) {
    case 'task':
      return `${node.id} ${node.tool ?? 'a tool chosen at run time'}${describeInput(node.input)}`;
    case 'capability':
      return `${node.id} cap:${node.capability ?? 'chosen at run time'}${describeInput(node.input)}`;
    case 'operation':
      return `${node.id} ${node.operation}`;
    case 'decision':
      return `${node.id} ${DECISIONS[node.form]}${node.form === 'try' ? '' : ` ${node.on}`}`;
    case 'loop':
      return `${node.id} ${node.form} ${node.on}`;
    case 'fork':
      return `${node.id} side by side (${node.form})`;
    case 'join':
      return node.id;
  }
}

const DECISIONS = {
  if: 'if',
  choice: 'if',
  switch: 'by',
  try: 'if that fails',
  function: 'if called:',
} as const;

function describeInput(input: ValueSource): string {
  if (input.kind === 'literal' && input.value === null) return '';
  const text = input.kind === 'object' ? describeFields(input) : describeValue(input);
  return text === '' ? '' : ` ${text}`;
}

function describeFields({ fields, rest = [] }: ValueSource & { readonly kind: 'object' }): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${describeValue(value)}`);
  return [...parts, ...rest.map((one) => `...${describeValue(one)}`)].join(' ');
}

function describeValue(value: ValueSource): string {
  switch (value.kind) {
    case 'literal': {
      const text = JSON.stringify(value.value);
      return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
    }
    case 'reference':
      return describeReference(value);
    case 'parameter':
      return ['args', ...value.path].join('.');
    case 'array':
      return `[${value.items.map(describeValue).join(', ')}]`;
    case 'object':
      return `{${describeFields(value)}}`;
    case 'computed': {
      const from = value.from.map((one) =>
        one.kind === 'reference' ? describeReference(one) : ['args', ...one.path].join('.'),
      );
      return from.length > 0 ? `f(${[...new Set(from)].join(', ')})` : 'f()';
    }
  }
}

function describeReference({ node, path }: ValueReference): string {
  return [node, ...path].join('.');
}
