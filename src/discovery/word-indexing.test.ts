import { expect, test } from 'vitest';

import { catalogTool } from '../../test/helpers/catalog-tool.js';
import { createToolIndex } from '../search/index.js';
import { WordIndexing } from './word-indexing.js';

const toolsOf = (...ids: string[]) =>
  new Map(ids.map((id) => catalogTool(id)).map((tool) => [tool.id, tool]));

test('sync drops tools that were prepared and are gone again', async () => {
  const index = createToolIndex();
  const indexing = new WordIndexing(index);
  await indexing.prepare(toolsOf('s:kept', 's:gone'));

  const changed = indexing.sync(new Map(), toolsOf('s:kept', 's:late'));

  expect([index.size, index.matchName('gone').length]).toEqual([2, 0]);
  expect(changed.map(({ id }) => id)).toEqual(['s:kept', 's:late']);
});

test('a preparation ends when the tools change meanwhile, and brings no removed tool back', async () => {
  const index = createToolIndex();
  const indexing = new WordIndexing(index);
  const many = toolsOf(...Array.from({ length: 500 }, (_, at) => `s:tool${at}`));

  const prepared = indexing.prepare(many);
  indexing.sync(new Map(), toolsOf('s:kept'));
  await prepared;

  expect(index.size).toBe(1);
});

test('prepared tools are not indexed a second time', async () => {
  const index = createToolIndex();
  const upserted: string[] = [];
  const watched = {
    ...index,
    upsert: (tool: Parameters<typeof index.upsert>[0]) => {
      upserted.push(tool.id);
      index.upsert(tool);
    },
  };
  const indexing = new WordIndexing(watched);
  const tools = toolsOf('s:one', 's:other');

  await indexing.prepare(tools);
  indexing.sync(new Map(), tools);

  expect(upserted).toEqual(['s:one', 's:other']);
});
