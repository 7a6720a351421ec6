import type { Capability, CapabilityVersion } from '../../src/core/index.js';

/** Code that was proven, for tests that change what matters to them. */
export function aVersion(overrides: Partial<CapabilityVersion> = {}): CapabilityVersion {
  return {
    identity: 'identity-1',
    version: 1,
    code: 'return await mcp.files.read({ path: args.path });',
    parameters: { type: 'object', properties: { path: { type: 'string', default: 'a.txt' } } },
    lock: {},
    contains: [],
    structure: {},
    toolsUsed: [],
    sequence: [],
    statistics: { uses: 1, successes: 1, failuresInRow: 0, totalMs: 10 },
    provenance: { origin: 'learned', at: new Date('2026-11-02T08:00:00Z') },
    ...overrides,
  };
}

export function aCapability(name: string, overrides: Partial<Capability> = {}): Capability {
  return {
    name,
    aliases: [],
    description: `Do ${name}`,
    intents: [`do ${name}`],
    state: { status: 'active' },
    isPinned: false,
    current: aVersion({ identity: `${name}-1` }),
    others: [],
    ...overrides,
  };
}
