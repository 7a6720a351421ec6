import { expect, test } from 'vitest';

import { createLiveView } from './live-view.js';

function fakeTerminal() {
  let text = '';
  const write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return { stream: { write }, take: () => [text, (text = '')][0] };
}

test('live view overwrites the lines it drew and never the ones it kept', () => {
  const { stream, take } = fakeTerminal();
  const view = createLiveView(stream);

  view.draw(['a', 'b']);
  expect(take()).not.toContain('F');
  view.draw(['c']);
  expect(take()).toContain('\u001B[2F\u001B[J');
  view.keep();
  view.draw(['d']);
  expect(take()).not.toContain('F');
  view.clear();
  expect(take()).toBe('\u001B[1F\u001B[J');
  view.clear();
  expect(take()).toBe('');
});
