import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { serverName, toolId } from '../../core/index.js';
import { createToolIndex, type ToolIndex } from './tool-index.js';

function indexOf(...tools: Parameters<typeof catalogTool>[]): ToolIndex {
  const index = createToolIndex();
  for (const tool of tools) index.upsert(catalogTool(...tool));
  return index;
}

const ids = (index: ToolIndex, query: string, limit = 5) =>
  index.search(query, { limit }).hits.map(({ tool }) => tool.id);

const files = indexOf(
  ['fs:read_file', 'Read a file from disk'],
  ['fs:write_file', 'Write text to a file'],
  ['git:git_commit', 'Record staged changes', { message: 'Text of the commit' }],
  ['git:git_log', 'Show past commits of the repository'],
  ['web:takeScreenshot', 'Capture the page as an image', { fullPage: 'Whole page' }],
);

describe('search', () => {
  test('tool index ranks a name above a description and says where it found each word', () => {
    const { hits } = files.search('commit message', { limit: 2 });

    expect(hits.map(({ tool }) => tool.id)).toEqual(['git:git_commit', 'git:git_log']);
    expect(hits[0]?.matches).toEqual([
      { word: 'commit', field: 'name' },
      { word: 'message', field: 'parameter' },
    ]);
  });

  test.each([
    ['comit', 'git:git_commit'],
    ['read flie', 'fs:read_file'],
    ['screenshots', 'web:takeScreenshot'],
    ['screensho', 'web:takeScreenshot'],
    ['repo history', 'git:git_log'],
    ['store text', 'fs:write_file'],
  ])('tool index finds what "%s" means', (query, id) => {
    expect(ids(files, query, 1)).toEqual([id]);
  });

  test.each(['fs:read_file', 'readFile', 'read file', 'fs read_file'])(
    'tool index is nearly sure for the query %s',
    (query) => {
      const [hit] = files.search(query, { limit: 1 }).hits;

      expect(hit).toMatchObject({ tool: { id: 'fs:read_file' } });
      expect(hit?.score).toBeGreaterThan(0.9);
    },
  );

  test.each(['getHTTPStatus', 'get_http_status', 'get HTTP status'])(
    'tool index recognises %s as the name of getHTTPStatus',
    (query) => {
      const web = indexOf(['web:getHTTPStatus', 'Asks a page for its status']);

      expect(web.score(query).isNamed(toolId(serverName('web'), 'getHTTPStatus'))).toBe(true);
    },
  );

  test('tool index gives a tool the same score for any limit and filter', () => {
    const score = (limit: number) =>
      files.search('show commits', { limit }).hits.find(({ tool }) => tool.id === 'git:git_log')
        ?.score;
    const alone = files.search('show commits', {
      limit: 1,
      filter: ({ id }) => id === 'git:git_log',
    });

    expect(score(5)).toBeGreaterThan(0);
    expect(score(50)).toBe(score(5));
    expect(alone.hits[0]?.score).toBe(score(5));
  });

  test('tool index orders equal tools by id and respects the limit', () => {
    const twins = indexOf(['b:run', 'Runs'], ['a:run', 'Runs'], ['c:run', 'Runs']);

    expect(ids(twins, 'run it', 2)).toEqual(['a:run', 'b:run']);
    expect(twins.search('run it', { limit: 2 }).matched).toBe(3);
  });

  test.each(['', '   ', 'the of', 'zzzz', '🦜'])('tool index finds nothing for %j', (query) => {
    expect(files.search(query, { limit: 5 })).toEqual({ hits: [], matched: 0 });
  });

  test('tool index scores lower when no tool knows part of the query', () => {
    const [known] = files.search('read file', { limit: 1 }).hits;
    const [partly] = files.search('read file blockchain', { limit: 1 }).hits;

    expect(partly?.score).toBeLessThan(known?.score ?? 0);
  });
});

describe('names and patterns', () => {
  test('tool names and patterns match exactly by id or name', () => {
    expect(files.matchName('git_log').map(({ id }) => id)).toEqual(['git:git_log']);
    expect(files.matchName('git:git_log')).toHaveLength(1);
    expect(files.matchName('git_lo')).toEqual([]);
    expect(files.matchPattern('*_file').map(({ id }) => id)).toEqual([
      'fs:read_file',
      'fs:write_file',
    ]);
    expect(files.matchPattern('git:*')).toHaveLength(2);
  });
});

test('changed tool is found only by its new text', () => {
  const index = indexOf(['a:one', 'alpha'], ['a:two', 'beta']);

  index.upsert(catalogTool('a:one', 'gamma'));

  expect(ids(index, 'alpha')).toEqual([]);
  expect(ids(index, 'gamma')).toEqual(['a:one']);
  expect(index.size).toBe(2);
});

const word = fc.constantFrom('read', 'write', 'file', 'commit', 'page', 'reader', 'filing', 'send');
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const change = fc.record({ id: fc.nat(8), text: fc.option(text), parameter: word });

test('tool index answers like a new one after any additions, changes and removals', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), text, (changes, query) => {
      const churned = createToolIndex();
      const left = new Map<number, ReturnType<typeof catalogTool>>();
      for (const { id, text: description, parameter } of changes) {
        const tool = catalogTool(`s${id % 3}:tool_${id}`, description ?? '', { [parameter]: '' });
        if (description === null) churned.remove(tool.id);
        else churned.upsert(tool);
        if (description === null) left.delete(id);
        else left.set(id, tool);
      }
      const fresh = createToolIndex();
      for (const tool of left.values()) fresh.upsert(tool);

      const result = churned.search(query, { limit: 5 });

      expect(result).toEqual(fresh.search(query, { limit: 5 }));
      expect(result.hits.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    }),
  );
});
