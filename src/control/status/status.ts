import { asText, matchGlobs } from '../../core/index.js';
import type { ManagedServer } from '../../servers/index.js';
import type { DaemonStatus, ProfileRow, ServerRow, SpeculationStatus } from '../contract/status.js';
import type { ControlledDaemon } from '../controlled-daemon.js';
import { isLearning, learnedParts } from '../metrics/learned-parts.js';
import { summarizeSpeculation } from '../metrics/speculation.js';
import { statusOf } from '../search/status.js';
import { overrideProblems } from '../tools/override-problems.js';
import { serverUses } from './server-use.js';
import { storeStatus } from './store-status.js';

export async function showStatus(daemon: ControlledDaemon): Promise<DaemonStatus> {
  const { config, sessions } = daemon;
  const problems = await daemon.journalProblems();
  const uses = serverUses(daemon.workflows.tools.activity.newest());
  return {
    pid: process.pid,
    version: daemon.version,
    build: daemon.build,
    uptimeMs: Math.round(process.uptime() * 1000),
    rssBytes: process.memoryUsage().rss,
    config: config.path,
    dataDir: config.dataDir,
    ...(daemon.rejectedConfig && { rejectedConfig: { ...daemon.rejectedConfig } }),
    exposure: config.file.exposure.mode,
    overrides: { tools: [...config.overrides.keys()], problems: overrideProblems(daemon) },
    clients: [...sessions.all].map((session) => ({
      id: session.id,
      name: asText(session.info['name']) || 'unknown',
      budget: { ...session.budget },
      ...profileOf(session.profile ?? config.file.profile),
    })),
    profiles: profileRows(config),
    ...(daemon.httpUrl && { http: daemon.httpUrl }),
    ...(daemon.dashboardAddress && { dashboard: daemon.dashboardAddress }),
    ...(daemon.isHttpOpenToAll && { isHttpOpenToAll: true }),
    store: await storeStatus(daemon),
    ...(problems.length > 0 && { journal: { problems: [...problems] } }),
    search: statusOf(daemon),
    learned: learnedParts(daemon).map(({ part, inUse, why }) => ({ part, inUse, why })),
    isLearning: isLearning(daemon),
    speculation: {
      mode: config.file.speculation.mode,
      warm: daemon.workflows.warming.counts,
      ...aheadStatus(daemon),
      ...summarizeSpeculation(daemon),
    },
    servers: daemon.pool.all().map((server) => {
      const use = uses.get(server.spec.name);
      return { ...serverStatusRow(daemon, server), ...(use && { use }) };
    }),
    broken: Object.fromEntries(config.broken),
    sandbox: await daemon.sandboxProtections(),
    disabled: [...config.disabled],
  };
}

function profileOf(profile: string | undefined): { profile?: string } {
  return profile === undefined ? {} : { profile };
}

function profileRows({ file, servers }: ControlledDaemon['config']): readonly ProfileRow[] {
  return Object.entries(file.profiles).map(([name, profile]) => ({
    name,
    servers: [...servers.keys()].filter(matchGlobs(profile.servers)).toSorted(),
    isDefault: name === file.profile,
  }));
}

function aheadStatus({ workflows }: ControlledDaemon): Pick<SpeculationStatus, 'ahead'> {
  const activity = workflows.foresight?.activity;
  if (!activity) return {};
  const recent = activity.recent.map((one) => ({ ...one, at: one.at.toISOString() }));
  return { ahead: { ...activity, recent } };
}

/** A server hides its own secrets alone; its error may hold one of another. */
export function serverStatusRow(
  daemon: Pick<ControlledDaemon, 'catalog' | 'mask'>,
  { spec, status }: Pick<ManagedServer, 'spec' | 'status'>,
): ServerRow {
  const { catalog } = daemon;
  const { lastError, retryInMs, ...rest } = status;
  return {
    name: spec.name,
    kind: spec.kind,
    ...rest,
    ...(lastError !== undefined && { lastError: daemon.mask(lastError) }),
    retryInMs,
    tools: catalog.toolsOf(spec.name).filter((tool) => tool.status === 'active').length,
    listed: catalog.server(spec.name)?.configHash === spec.configHash,
  };
}
