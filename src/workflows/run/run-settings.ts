import type { RunOptions } from '../../executor/index.js';
import { isTransient } from '../../policy/index.js';
import { checkArgs, checkOutput, describeViolations } from '../../validation/index.js';
import { askAboutGuesses } from '../plan/doubtful-guesses.js';
import type { Workflows } from '../workflows.js';

const RETRY_DELAY_MS = 250;

/** How runs are carried out, by the configuration and the catalog of this moment. */
export function runSettings(workflows: Workflows): Omit<RunOptions, 'now' | 'isDurable'> {
  const { tools } = workflows;
  const { limits, workflows: rules, servers } = tools.settings;
  return {
    concurrency: limits.runConcurrency,
    serverConcurrency: (server) => servers.get(server)?.maxConcurrency ?? limits.serverConcurrency,
    policyOf: (tool) => tools.policyOf(tool),
    asksAboutGuesses: (task, state) =>
      askAboutGuesses(
        workflows,
        task,
        state.tasks.map((one) => one.task),
      ),
    checkArgs(tool, args) {
      const schema = tools.definitionOf(tool)?.inputSchema;
      const violations = schema ? checkArgs(schema, args, () => false) : [];
      return violations.length > 0 ? describeViolations(violations, 'args') : undefined;
    },
    checkResult(tool, result) {
      const schema = tools.catalog.tool(tool)?.definition.outputSchema;
      const violations = schema ? checkOutput(schema, result) : [];
      return violations.length > 0 ? describeViolations(violations, 'result') : undefined;
    },
    ...(rules.taskTimeoutMs !== undefined && { taskTimeoutMs: rules.taskTimeoutMs }),
    retries: rules.retries,
    retryDelayMs: RETRY_DELAY_MS,
    isTransient,
  };
}
