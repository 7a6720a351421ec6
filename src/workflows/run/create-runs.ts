import type { RunLog, Sandbox } from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';
import { errorType } from '../../policy/index.js';
import { newRunId } from '../../results/index.js';
import { Runs } from '../../runs/index.js';
import { codePorts } from './code-ports.js';
import { runSettings } from './run-settings.js';
import { rememberRecovered, rememberRun, runCaller } from './run-tools.js';

interface RunParts {
  readonly log: Promise<RunLog>;
  readonly sandbox: Sandbox;
  /** Hides secrets in what is remembered. */
  readonly mask: (text: string) => string;
}

/** The runs of a gateway: called through its servers, by its rules, into its memory. */
export function createRuns(gateway: Gateway, { log, sandbox, mask }: RunParts): Runs {
  return new Runs({
    log,
    scripts: codePorts(gateway, sandbox),
    awakeMs: () => gateway.settings.code.awakeMs,
    callerFor: (run) => runCaller(gateway, run),
    settings: () => runSettings(gateway),
    errorType,
    mask,
    newRunId,
    now: () => Date.now(),
    logger: gateway.log,
    onFinished: (trace, state) => rememberRun(gateway, trace, state),
    onRecovered: (runs) => rememberRecovered(gateway, runs),
  });
}
