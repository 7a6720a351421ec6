import { describeRunLog } from './conformance/run-log.js';
import { MemoryRunLog } from './helpers/memory-run-log.js';

describeRunLog('memory', async () => {
  let log = new MemoryRunLog();
  return {
    log,
    async reopen() {
      const next = log.another();
      await log[Symbol.asyncDispose]();
      log = next;
      return log;
    },
    async [Symbol.asyncDispose]() {
      await log[Symbol.asyncDispose]();
    },
  };
});
