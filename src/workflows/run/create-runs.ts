import {
  type Principal,
  type RunId,
  type RunLog,
  type Sandbox,
  type ToolCaller,
} from '../../core/index.js';
import { errorType } from '../../policy/index.js';
import { newRunId } from '../../results/index.js';
import { Runs } from '../../runs/index.js';
import type { Workflows } from '../workflows.js';
import { codePorts } from './code-ports.js';
import { ofRun } from './of-run.js';
import { runSettings } from './run-settings.js';
import { rememberRecovered, rememberRun, runCaller } from './run-tools.js';

export interface RunParts {
  readonly log: Promise<RunLog>;
  readonly sandbox: Sandbox;
  /** Who calls tools for a run. Default: the directory of tools, on behalf of the run's clients. */
  readonly callerFor?:
    | ((run: RunId, profile?: string, owner?: Principal) => ToolCaller)
    | undefined;
  /** Default: random ids. */
  readonly newRunId?: (() => RunId) | undefined;
}

/** Runs call tools through the directory, by its rules, and what they did is remembered. */
export function createRuns(workflows: Workflows, parts: RunParts): Runs {
  const {
    log,
    sandbox,
    callerFor = (run, profile, owner) => runCaller(ofRun(workflows, profile, owner), run),
  } = parts;
  return new Runs({
    log,
    scripts: codePorts(workflows, sandbox),
    awakeMs: () => workflows.tools.settings.code.awakeMs,
    callerFor,
    settings: (profile) => runSettings(ofRun(workflows, profile)),
    errorType,
    mask: workflows.mask,
    newRunId: parts.newRunId ?? newRunId,
    now: () => Date.now(),
    logger: workflows.log,
    onFinished: (trace, state) => rememberRun(workflows, trace, state),
    onRecovered: (runs) => rememberRecovered(workflows, runs),
  });
}
