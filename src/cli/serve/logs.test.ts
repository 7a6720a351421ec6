import { expect, test } from 'vitest';

import { showLog } from './logs.js';

test('a log keeps lines and tabs, loses colours, and cannot repaint the terminal', () => {
  expect(showLog('\u001B[1;31mred\u001B[0m\r\n\tat x\u001B[2J\u009B1A\rover\n')).toBe(
    `red\n\t${String.raw`at x\u{1b}[2J\u{9b}1A\u{d}over`}\n`,
  );
});
