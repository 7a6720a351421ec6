import { matchGlobs } from '../../core/index.js';
import type { GatewaySettings, Profile } from '../settings.js';

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
