import { matchGlobs } from '../core/index.js';
import type { AskRule } from '../policy/index.js';
import type { GatewaySettings } from './settings.js';

/** A narrower view of the configuration, for the clients that use it. */
export interface Profile {
  readonly name: string;
  /** Globs of names. */
  readonly servers: readonly string[];
  readonly permissions: {
    readonly ask: readonly AskRule[];
    readonly deny: readonly string[];
    readonly readOnly: boolean;
  };
  readonly exposure?: GatewaySettings['exposure'] | undefined;
}

/** For a profile that is no longer there: its clients must not get more than they had. */
export function emptyProfile(name: string): Profile {
  return { name, servers: [], permissions: { ask: [], deny: [], readOnly: true } };
}

/** The settings for the clients of a profile: never more than without it. */
export function narrowSettings(settings: GatewaySettings, profile: Profile): GatewaySettings {
  const { permissions, servers } = settings;
  const { ask, deny, readOnly } = profile.permissions;
  const isServer = matchGlobs(profile.servers);
  const own = new Map([...servers].filter(([name]) => isServer(name)));
  return {
    ...settings,
    servers: own,
    exposure: profile.exposure ?? settings.exposure,
    permissions: {
      ...permissions,
      ask: [...permissions.ask, ...ask],
      deny: [...permissions.deny, ...deny],
      profile: { name: profile.name, servers: new Set(own.keys()), readOnly },
    },
  };
}
