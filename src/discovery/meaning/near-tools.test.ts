import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import type { ToolId } from '../../core/index.js';
import { createVectorIndex } from '../../search/index.js';
import { NearTools } from './near-tools.js';

function indexed() {
  const tools = createVectorIndex<ToolId>(2);
  tools.set(id('a:one'), Float32Array.of(1, 0));
  tools.set(id('a:two'), Float32Array.of(0.8, 0.6));
  return { tools, near: new NearTools(tools) };
}

const namesOf = (near: NearTools) => near.of(id('a:one')).map(({ key }) => key);

test('the nearest tools of a tool come nearest first, itself before all', () => {
  const { near } = indexed();

  expect(namesOf(near)).toEqual(['a:one', 'a:two']);
  expect(near.of(id('a:unknown'))).toEqual([]);
});

test('a vector that changed is seen once the kept neighbours are cleared', () => {
  const { tools, near } = indexed();
  namesOf(near);
  tools.delete(id('a:two'));

  near.clear();

  expect(namesOf(near)).toEqual(['a:one']);
});
