import { expect, test } from 'vitest';

import { opener } from './open-browser.js';

const URL = 'http://127.0.0.1:4000/ui/sign-in?token=a&b';

test.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
  ['win32', 'rundll32'],
] as const)('on %s the address is handed to %s as one argument', (platform, command) => {
  const opened = opener(platform, URL);

  expect(opened.command).toBe(command);
  expect(opened.args.at(-1)).toBe(URL);
});
