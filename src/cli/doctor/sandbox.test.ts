import { expect, test } from 'vitest';

import type { SandboxProtections } from '../../control/index.js';
import { describeProtections, judgeSandbox } from './sandbox.js';

const ALL: SandboxProtections = {
  nodePermissions: true,
  nodeNetwork: false,
  bubblewrap: true,
  isWatched: true,
};
const without = (why: string, changes: Partial<SandboxProtections> = {}): SandboxProtections => ({
  ...ALL,
  bubblewrap: false,
  withoutBubblewrap: why,
  ...changes,
});

test('a machine with bubblewrap passes and shows which protections confine scripts', () => {
  const finding = judgeSandbox(ALL, 'linux');

  expect(finding.level).toBe('ok');
  expect(finding.message).toContain("Node's permissions; bubblewrap");
});

test.each([
  ['linux', without('bwrap is not installed'), 'apt install bubblewrap'],
  ['linux', without('setting up uid map: Permission denied'), 'AppArmor'],
  ['darwin', without('there is none for this system'), 'Node 25'],
] as const)('without bubblewrap on %s doctor warns with a fix', (platform, state, advice) => {
  const finding = judgeSandbox(state, platform);

  expect(finding).toMatchObject({ level: 'warn', fix: expect.stringContaining(advice) });
  expect(finding.message).toContain('only the engine keeps them from the network');
});

test('a system without bubblewrap passes when Node blocks the network itself', () => {
  const state = without('there is none for this system', { nodeNetwork: true, isWatched: false });

  expect(judgeSandbox(state, 'darwin').level).toBe('ok');
  expect(describeProtections(state)).toContain('network included');
  expect(describeProtections(state)).not.toContain('only the engine');
});
