import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { Hypergraph } from '../hypergraph/hypergraph.js';
import { Levels } from '../hypergraph/levels.js';
import { runEdge } from '../hypergraph/run-edge.js';
import { castVotes, companyOf, type FindAlike } from './votes.js';

const id = (name: string) => `a:${name}` as ToolId;

/** Runs written as `search get > pay`: what stands before the sign gives values to the rest. */
function graphOfRuns(...runs: readonly string[]): Hypergraph {
  const graph = new Hypergraph();
  for (const run of runs) {
    const [givers = '', rest = ''] = run.split('>');
    const names = (text: string) => text.trim().split(' ').filter(Boolean).map(id);
    const tools = [...names(givers), ...names(rest)];
    graph.add(runEdge({ tools, givers: new Set(names(givers)) }));
  }
  return graph;
}

const head = 'about';

test('a run is about the tools whose values go to no other step', () => {
  const runs = graphOfRuns('login search > book', 'login > mail');

  expect(['login', 'search', 'book', 'mail'].map((tool) => runs.anchored(head, id(tool)))).toEqual([
    0, 0, 1, 1,
  ]);
});

test('a tool that runs are about votes for what came with it', () => {
  const runs = graphOfRuns('login search > book', 'login > book', 'other > mail');

  const votes = castVotes([{ tool: id('book'), share: 1 }], { head, runs });

  expect(Object.fromEntries(votes)).toEqual({ 'a:book': 1, 'a:login': 1, 'a:search': 0.5 });
});

test('votes count as far as the head attends to the tool that casts them', () => {
  const runs = graphOfRuns('login > book', 'login key > mail');

  const votes = castVotes(
    [
      { tool: id('book'), share: 0.75 },
      { tool: id('mail'), share: 0.25 },
    ],
    { head, runs },
  );

  expect(votes.get(id('login'))).toBe(1);
  expect(votes.get(id('key'))).toBe(0.25);
});

test('a tool that no run was about borrows the company of the tool most like it', () => {
  const runs = graphOfRuns('login > book', 'key > mail');
  const alike: FindAlike = (_, lends) =>
    [[id('book'), 0.9] as const, [id('mail'), 0.2] as const].filter(([tool]) => lends(tool));

  const company = companyOf(id('reserve'), { head, runs, lenders: { alike } });

  expect(company.get(id('login'))).toBeGreaterThan(0.9);
  expect(company.get(id('key'))).toBeLessThan(0.1);
  expect(company.has(id('book'))).toBe(false);
});

test('a tool with many runs of its own borrows nothing', () => {
  const runs = graphOfRuns('key > mail', ...Array.from({ length: 20 }, () => 'login > book'));
  const alike: FindAlike = () => [[id('mail'), 1]];

  expect(companyOf(id('book'), { head, runs, lenders: { alike } }).has(id('key'))).toBe(false);
});

test('a new capability borrows from runs about what its code is about, without what it does itself', () => {
  const runs = graphOfRuns('login search > book');
  const inside = runEdge({ tools: [id('search'), id('book')], givers: new Set([id('search')]) });
  const levels = new Levels([{ id: 'cap:trip' as ToolId, inside }]);

  const company = companyOf('cap:trip' as ToolId, { head, runs, lenders: { levels } });

  expect(Object.fromEntries(company)).toEqual({ 'a:login': 1, 'cap:trip': 1 });
});

test('a tool that no run was about borrows from the code of a capability that is about it', () => {
  const inside = runEdge({ tools: [id('search'), id('book')], givers: new Set([id('search')]) });
  const levels = new Levels([{ id: 'cap:trip' as ToolId, inside }]);

  const company = companyOf(id('book'), { head, runs: new Hypergraph(), lenders: { levels } });

  expect(company.get(id('search'))).toBe(1);
});
