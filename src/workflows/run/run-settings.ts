import type { RunOptions } from '../../executor/index.js';
import type { Gateway } from '../../gateway/index.js';
import { isTransient } from '../../policy/index.js';
import { checkArgs, checkOutput, describeViolations } from '../../validation/index.js';

const RETRY_DELAY_MS = 250;

/** How runs are carried out, by the configuration and the catalog of this moment. */
export function runSettings(gateway: Gateway): Omit<RunOptions, 'now' | 'isDurable'> {
  const { limits, workflows, servers } = gateway.settings;
  return {
    concurrency: limits.runConcurrency,
    serverConcurrency: (server) => servers.get(server)?.maxConcurrency ?? limits.serverConcurrency,
    policyOf: (tool) => gateway.policyOf(tool),
    checkArgs(tool, args) {
      const schema = gateway.definitionOf(tool)?.inputSchema;
      const violations = schema ? checkArgs(schema, args, () => false) : [];
      return violations.length > 0 ? describeViolations(violations, 'args') : undefined;
    },
    checkResult(tool, result) {
      const schema = gateway.catalog.tool(tool)?.definition.outputSchema;
      const violations = schema ? checkOutput(schema, result) : [];
      return violations.length > 0 ? describeViolations(violations, 'result') : undefined;
    },
    ...(workflows.taskTimeoutMs !== undefined && { taskTimeoutMs: workflows.taskTimeoutMs }),
    retries: workflows.retries,
    retryDelayMs: RETRY_DELAY_MS,
    isTransient,
  };
}
