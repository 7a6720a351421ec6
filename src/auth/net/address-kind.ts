import { BlockList, isIP } from 'node:net';

/** Where an address leads: into the internet, or to somewhere only this machine or network reaches. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local';

type Subnet = readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'];

const LOOPBACK = blockList([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

/** Clouds answer here with the credentials of the machine. */
const LINK_LOCAL = blockList([
  ['169.254.0.0', 16, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
]);

/** Networks of companies and carriers, and ranges that lead nowhere in the internet (RFC 6890). */
const PRIVATE = blockList([
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** IPv4 written inside IPv6: mapped, and translated by NAT64. */
const EMBEDDED = blockList([
  ['::ffff:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
]);

/** The kind of an IP address. A text that is none counts as private: PML does not know where it leads. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0) return 'private';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (family === 'ipv6' && EMBEDDED.check(address, 'ipv6')) return addressKind(lastFour(address));
  if (LOOPBACK.check(address, family)) return 'loopback';
  if (LINK_LOCAL.check(address, family)) return 'link-local';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function lastFour(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  // The parser of addresses writes such an address with its last two groups in hexadecimal digits.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join('.');
}

function blockList(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
