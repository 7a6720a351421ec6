import { expect, test } from 'vitest';

import { addressKind } from './address-kind.js';

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.8.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['::', 'private'],
  ['fd00::1', 'private'],
  ['224.0.0.1', 'private'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['example.org', 'private'],
])('the address %s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});
