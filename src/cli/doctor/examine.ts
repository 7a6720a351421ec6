import { probeJournal } from '../../app/probe/probe-journal.js';
import { probeModel } from '../../app/probe/probe-model.js';
import { probeSandbox } from '../../app/probe/probe-sandbox.js';
import { BUILD, VERSION } from '../../app/version.js';
import type { LoadedConfig } from '../../config/load.js';
import type { DaemonStatus } from '../../control/index.js';
import { messageOf, silentLogger } from '../../core/index.js';
import { fileLimit } from '../../process/index.js';
import { repairStore } from '../../store/index.js';
import { ask, askStarted } from '../daemon/ask.js';
import { describeUnused, findUnusedData } from '../init/adopt-data.js';
import { lookAtClients } from './clients.js';
import {
  judgeDaemon,
  judgeLeftovers,
  judgeRejected,
  judgeRepair,
  judgeServer,
  judgeSignIns,
  judgeStore,
  judgeTools,
} from './daemon.js';
import { judgeDefinitions } from './definitions.js';
import type { DoctorFlags } from './doctor.js';
import { fail, type Finding, warn } from './finding.js';
import { judgeJournal } from './journal.js';
import {
  checkServers,
  endDaemon,
  freeBytes,
  listTools,
  lookAtDaemon,
  lookAtDirectory,
  lookAtPort,
  lookForConfig,
  lookForLeftovers,
  thisMachine,
} from './look.js';
import {
  judgeDataDir,
  judgeDisk,
  judgeFiles,
  judgeHttpAccess,
  judgeNode,
  judgePort,
} from './machine.js';
import { judgeModel } from './model.js';
import { judgeProfiles } from './profiles.js';
import { judgeSandbox } from './sandbox.js';
import { judgeClients, judgeConfig } from './setup.js';

const DEFAULT_PORT = 7717;
/** A model of hundreds of megabytes takes its time. */
const MODEL_TIMEOUT_MS = 60_000;

type Say = (line: string) => void;

/** Looks at everything; `say` tells what is being done. */
export async function examine(flags: DoctorFlags, say: Say): Promise<readonly Finding[]> {
  const { found, config: state, dataDir } = await lookForConfig(flags);
  const sandbox = judgeSandbox(await probeSandbox(), process.platform);
  const findings = [judgeNode(process.versions.node), sandbox, ...judgeConfig(state)];
  const loaded = state.status === 'loaded' ? state.config : undefined;
  if (dataDir !== undefined) {
    findings.push(judgeDataDir(dataDir, await lookAtDirectory(dataDir)));
    findings.push(judgeDisk(await freeBytes(dataDir)));
    if (loaded) findings.push(...judgeUnusedData(loaded), ...judgeProfiles(loaded));
    const files = judgeFiles(fileLimit(), loaded?.servers.size ?? 0);
    if (files) findings.push(files);
    const daemon = await lookAtDaemon(dataDir);
    const { status } = daemon;
    // Before a daemon is started, which may put it right.
    const journal = await probeJournal(dataDir, loaded?.file.database ?? 'embedded');
    const told = [...(status?.journal?.problems ?? [])];
    findings.push(judgeLeftovers(lookForLeftovers(dataDir), status !== undefined));
    const own = { version: VERSION, build: BUILD, config: found?.path ?? '' };
    const verdict = judgeDaemon(daemon, own);
    findings.push(verdict, ...judgeRejected(status));
    if (flags.repair) findings.push(await repair(dataDir, { status, loaded, say }));
    if (loaded && verdict.level !== 'fail')
      findings.push(...(await examineLive(flags, { loaded, say, told })));
    findings.push(judgeJournal(journal, told));
    if (loaded) {
      findings.push(judgeModel(await probeModel(loaded, AbortSignal.timeout(MODEL_TIMEOUT_MS))));
      const { host, port, token } = loaded.file.http;
      findings.push(judgePort(`${host}:${port}`, await lookAtPort({ host, port }, status?.http)));
      findings.push(judgeHttpAccess(token));
    }
  }
  const port = loaded?.file.http.port ?? DEFAULT_PORT;
  const clients = await lookAtClients(thisMachine(), { httpPort: port, say });
  return [...findings, ...judgeClients(clients)];
}

function judgeUnusedData(loaded: LoadedConfig): readonly Finding[] {
  const unused = findUnusedData(loaded);
  if (!unused) return [];
  const fix = 'If it is yours: pml trust --adopt-data --yes, with the same --config.';
  return [warn('data', describeUnused(unused), fix)];
}

interface Subject {
  readonly loaded: LoadedConfig;
  readonly say: Say;
  /** Gets what the daemon says of its journal. */
  readonly told: string[];
}

/** What only a running daemon can tell. One that had to be started is ended afterwards. */
async function examineLive(flags: DoctorFlags, subject: Subject): Promise<Finding[]> {
  const { loaded, say, told } = subject;
  const { dataDir, servers } = loaded;
  say(`Starting ${servers.size} servers to see whether they work …`);
  try {
    const { answer: before, wasStarted } = await askStarted(flags, 'status', {});
    told.push(...(before.journal?.problems ?? []));
    try {
      const checks = await checkServers(loaded, { before, say });
      const listed = await listTools(dataDir);
      const tools = [...judgeTools(listed?.tools ?? []), ...judgeDefinitions(listed)];
      const { answer: signIns } = await ask(flags, 'sign-ins', {});
      const kept = signIns?.signIns.length ? [judgeSignIns(signIns.place)] : [];
      return [...checks.map(judgeServer), ...kept, ...tools, judgeStore(before.store)];
    } finally {
      if (wasStarted) await endDaemon(dataDir, before.pid);
    }
  } catch (error) {
    return [fail('daemon', messageOf(error), 'pml logs shows what it said.')];
  }
}

interface Patient {
  readonly status: DaemonStatus | undefined;
  readonly loaded: LoadedConfig | undefined;
  readonly say: Say;
}

async function repair(dataDir: string, { status, loaded, say }: Patient): Promise<Finding> {
  if (status) {
    const message = `the daemon (pid ${status.pid}) has the store open`;
    return fail('repair', message, 'Run pml stop, then pml doctor --repair.');
  }
  if (loaded && loaded.file.database !== 'embedded') {
    const fix = 'Its backups are the way back.';
    return fail('repair', 'the store is a PostgreSQL server, not ours to repair', fix);
  }
  say('Opening the store …');
  try {
    return judgeRepair(await repairStore({ dataDir, logger: silentLogger }));
  } catch (error) {
    return fail(
      'repair',
      messageOf(error),
      'A repair deletes nothing: correct this and run it again.',
    );
  }
}
