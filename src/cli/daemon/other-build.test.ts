import { expect, test } from 'vitest';

import { describeOtherBuild } from './other-build.js';

const own = { version: '0.1.0', build: 'abc123456-11111111' };

test('a daemon of the same version but another build is reported with advice', () => {
  const daemon = { pid: 7, version: '0.1.0', build: 'abc123456-22222222' };

  const said = describeOtherBuild(daemon, own);

  expect(said).toContain('The daemon (pid 7) runs another build (0.1.0, build abc123456-22222222)');
  expect(said).toContain('Run pml restart');
});

test('a daemon that does not report its build counts as another build', () => {
  expect(describeOtherBuild({ pid: 7, version: '0.1.0' }, own)).toContain('build unknown');
});

test.each([
  ['the same id', 'abc123456-11111111'],
  ['another commit with the same compiled sources', 'fff999999-11111111'],
  ['a build without git of the same sources', '11111111'],
])('a daemon with %s counts as the same build', (_what, build) => {
  expect(describeOtherBuild({ pid: 7, version: '0.1.0', build }, own)).toBeUndefined();
});
