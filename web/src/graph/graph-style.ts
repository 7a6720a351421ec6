import type { StylesheetJson } from 'cytoscape';

/** Communities have no order, so neighbours in the list differ as much as possible. */
const LIGHT = [
  '#5b66e0',
  '#d9822b',
  '#2e9e6b',
  '#c2477f',
  '#2b8fb8',
  '#9a7b1f',
  '#8757c9',
  '#c4503f',
  '#4f8f2f',
  '#6b7280',
];
const DARK = [
  '#8b94ff',
  '#f0a04f',
  '#5cc795',
  '#ea7fae',
  '#5fbce0',
  '#cfae4c',
  '#b58af0',
  '#f08577',
  '#86c466',
  '#9aa2b1',
];

const EDGES = {
  provides: { color: 'accent', style: 'solid' },
  sequence: { color: 'muted', style: 'solid' },
  dependency: { color: 'ok', style: 'solid' },
  alternative: { color: 'warn', style: 'dashed' },
  contains: { color: 'idle-fill', style: 'dotted' },
  same: { color: 'line-strong', style: 'dotted' },
  repeat: { color: 'warn', style: 'solid' },
} as const;

/** From the colours of the page, so both themes fit. */
export function graphStyle(): StylesheetJson {
  const root = document.documentElement;
  const values = getComputedStyle(root);
  const color = (name: string) => values.getPropertyValue(`--${name}`).trim();
  const palette = root.dataset['theme'] === 'dark' ? DARK : LIGHT;
  // What was never called belongs to no community.
  const communityColor = (community: number) =>
    community < 0 ? color('idle-fill') : palette[community % palette.length]!;
  return [
    {
      selector: 'node',
      style: {
        width: 'data(size)',
        height: 'data(size)',
        label: 'data(label)',
        color: color('text'),
        'background-color': (node: { data(name: string): number }) =>
          communityColor(node.data('community')),
        'font-family': color('font'),
        'font-size': 11,
        'min-zoomed-font-size': 7,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-max-width': '118px',
        'text-wrap': 'ellipsis',
        'text-outline-color': color('surface'),
        'text-outline-width': 2,
      },
    },
    {
      selector: 'node[kind = "capability"], node[kind = "meta"]',
      style: { shape: 'round-rectangle', 'border-width': 2, 'border-color': color('text') },
    },
    { selector: 'node[kind = "operation"]', style: { shape: 'diamond' } },
    {
      selector: 'node.open',
      style: {
        'background-color': color('sunken'),
        'border-width': 1,
        'border-color': color('line-strong'),
        'text-valign': 'top',
        'text-margin-y': -4,
        padding: '18px',
      },
    },
    { selector: 'node.aside', style: { 'background-opacity': 0.4, 'border-style': 'dashed' } },
    ...edgeStyles(color),
    { selector: 'edge.plain', style: { 'curve-style': 'haystack', opacity: 0.45 } },
    { selector: '.faded', style: { opacity: 0.12 } },
    { selector: 'node.strong', style: { 'border-width': 3, 'border-color': color('accent') } },
    {
      selector: 'node.active',
      style: {
        'underlay-color': color('info-fill'),
        'underlay-opacity': 0.45,
        'underlay-padding': 9,
      },
    },
    { selector: 'node.selected', style: { 'border-width': 4, 'border-color': color('accent') } },
  ];
}

function edgeStyles(color: (name: string) => string): StylesheetJson {
  return [
    {
      selector: 'edge',
      style: {
        width: 'mapData(weight, 0, 1, 0.8, 5)',
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.7,
        opacity: 0.7,
        label: 'data(label)',
        'font-size': 10,
        color: color('muted'),
      },
    },
    ...Object.entries(EDGES).map(([type, edge]) => ({
      selector: `edge[type = "${type}"]`,
      style: {
        'line-color': color(edge.color),
        'target-arrow-color': color(edge.color),
        'line-style': edge.style,
        ...(type === 'same' && { 'target-arrow-shape': 'none' as const }),
      },
    })),
  ];
}
