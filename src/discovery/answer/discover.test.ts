import { describe, expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { createToolIndex } from '../../search/words/tool-index.js';
import { createContextBudget, spend } from '../../tool-text/context-budget.js';
import { answerTokens, discover } from './discover.js';
import type { DiscoverRequest } from './find-candidates.js';

const budget = createContextBudget({ windowTokens: 200_000, share: 0.05 });
const index = createToolIndex();
for (const noun of ['file', 'page', 'issue', 'branch', 'record', 'message', 'chart']) {
  for (const verb of ['create', 'delete', 'list']) {
    const parameters = {
      id: `Id of the ${noun}`,
      format: 'How to answer',
      cursor: 'Where to go on',
    };
    index.upsert(
      catalogTool(`${noun}s:${verb}_${noun}`, `Can ${verb} one ${noun}. Be careful.`, parameters),
    );
  }
}
index.upsert({
  ...catalogTool('lab:explode'),
  status: 'blocked',
  reason: 'its definition changed',
});

const ask = (request: DiscoverRequest) => discover(request, { index, budget });

describe('an intent', () => {
  test('discover answers an intent with the best tools, each with its input', () => {
    const { hits, more, note } = ask({ intent: 'create an issue', limit: 2 });

    expect(hits[0]).toEqual({
      tool: 'issues:create_issue',
      score: expect.any(Number),
      signature: 'create_issue(id?: string, format?: string, cursor?: string)',
      description: 'Can create one issue',
    });
    expect(hits).toHaveLength(2);
    expect(more).toBeGreaterThan(0);
    expect(note).toBeUndefined();
  });

  test('discover answers an intent with five hits in few tokens', () => {
    const answer = ask({ intent: 'create a chart' });

    expect(answer.hits).toHaveLength(5);
    expect(answerTokens(answer)).toBeLessThanOrEqual(350);
  });

  test('discover shows at most three hits for an intent that matches badly, and says so', () => {
    const { hits, note } = ask({ intent: 'list quantum blockchain unicorns everywhere' });

    expect(hits).toHaveLength(3);
    expect(note).toContain('Nothing matches well');
    expect(note).toContain('branchs, charts');
  });

  test('discover names the servers for an intent that matches nothing', () => {
    expect(ask({ intent: 'xylophone' })).toEqual({
      hits: [],
      note: expect.stringContaining('Nothing matches. Servers: branchs, '),
    });
  });
});

describe('detail', () => {
  test('detail "names" gives only names, and detail "schema" gives the whole schema', () => {
    const [named] = ask({ intent: 'delete page', detail: 'names' }).hits;
    const [whole] = ask({ intent: 'delete page', detail: 'schema' }).hits;

    expect(Object.keys(named ?? {})).toEqual(['tool', 'score']);
    expect(whole?.schema?.input).toMatchObject({ properties: { id: { type: 'string' } } });
  });
});

test('a signature includes the result type that PML has observed', () => {
  const seen = { type: 'object', properties: { number: { type: 'integer' } } };

  const { hits } = discover(
    { intent: 'create an issue', limit: 1 },
    { index, budget, seenOutput: ({ id }) => (id === 'issues:create_issue' ? seen : undefined) },
  );

  expect(hits[0]?.signature).toMatch(/^create_issue\(.*\): \{number\?: (number|integer)\}$/);
});

test('the first hits show their whole input, further hits a short one', () => {
  const own = createToolIndex();
  const parameters = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`parameter_${at}`, 'Something']),
  );
  for (const name of ['one', 'two', 'three']) {
    own.upsert(catalogTool(`a:make_chart_${name}`, 'Makes a chart', parameters));
  }

  const { hits } = discover({ intent: 'make a chart' }, { index: own, budget });

  expect(hits).toHaveLength(3);
  expect(hits[0]?.signature).toContain('parameter_11');
  expect(hits[1]?.signature).toContain('parameter_11');
  expect(hits[2]?.signature).toMatch(/…\)$/);
});

test('a deprecated hit keeps what its server says to use instead', () => {
  const own = createToolIndex();
  own.upsert(catalogTool('a:read', 'Reads a file. DEPRECATED: Use read_text instead.'));

  const { hits } = discover({ intent: 'read a file' }, { index: own, budget });

  expect(hits[0]?.deprecated).toBe('Use read_text instead');
});

describe('the token budget', () => {
  // covers: FIND-BUDGET
  test('the token budget cuts the last hits and counts them as more', () => {
    const answer = ask({ pattern: 'delete_*', limit: 6, maxTokens: 150 });

    expect(answerTokens(answer)).toBeLessThanOrEqual(150);
    expect(answer.hits.length).toBeGreaterThan(0);
    expect(answer.hits.length + (answer.more ?? 0)).toBe(7);
  });

  test('the token budget leaves one hit even when it is used up', () => {
    const spent = spend(budget, 'discover', 1_000_000);

    const answer = discover({ intent: 'delete page' }, { index, budget: spent });

    expect(answer.hits).toHaveLength(1);
  });
});

describe('names and patterns', () => {
  test('discover answers a name with that tool alone', () => {
    const answer = ask({ name: 'pages:list_page' });

    expect(answer.hits.map(({ tool, score }) => [tool, score])).toEqual([['pages:list_page', 1]]);
    expect(answer.more).toBeUndefined();
  });

  test('discover answers a wrong name with the closest one', () => {
    const { hits, note } = ask({ name: 'list_pgae' });

    expect(note).toBe('No tool is named `list_pgae`; closest:');
    expect(hits[0]?.tool).toBe('pages:list_page');
  });

  test('a blocked tool is not offered, but discover by name gives its state', () => {
    expect(ask({ intent: 'explode' }).hits).toEqual([]);
    expect(ask({ name: 'explode' }).note).toContain(
      '`lab:explode` is blocked (its definition changed)',
    );
  });

  test('discover says that a pattern has no match', () => {
    expect(ask({ pattern: 'nope:*' }).note).toContain('No tool fits `nope:*`. Servers: ');
  });

  test('a tool that the filter hides does not exist for discover', () => {
    const filter = () => false;

    expect(discover({ pattern: '*' }, { index, budget, filter }).note).toContain(
      'none of this server',
    );
  });
});

test.each([{}, { intent: ' ' }, { intent: 'x', name: 'y' }])('discover refuses %j', (request) => {
  expect(() => ask(request)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('discover without any tools explains that there are none yet', () => {
  const answer = discover({ intent: 'anything' }, { index: createToolIndex(), budget });

  expect(answer).toEqual({ hits: [], note: expect.stringContaining('No tools yet') });
});
