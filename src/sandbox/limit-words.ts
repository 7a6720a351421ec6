import type { SandboxError, SandboxLimit, SandboxLimits } from '../core/index.js';

/** The message for a stopped script: the limit it reached, and what helps. */
export function limitWords(limit: SandboxLimit, limits: SandboxLimits): string {
  const more = (name: string) =>
    `Do less in one script, or raise code.${name} in the configuration.`;
  switch (limit) {
    case 'time':
      return `The script took longer than ${limits.wallMs} ms, calls included. ${more('timeoutMs')}`;
    case 'cpu':
      return `The script computed for longer than ${limits.cpuMs} ms. ${more('cpuMs')}`;
    case 'memory':
      return `The script needed more than ${mib(limits.memoryBytes)} of memory. ${more('memoryBytes')}`;
    case 'stack':
      return 'The script nested function calls too deep: the stack is fixed. Use a loop, or end the recursion.';
    case 'calls':
      return `The script made more than ${limits.calls} calls. ${more('calls')}`;
    case 'output':
      return `The script's result, or the arguments of one of its calls, exceeded ${limits.outputBytes} bytes. Return less, or raise code.outputBytes in the configuration.`;
    case 'deadlock':
      return 'The script waits for a promise that nothing can settle any more: no call is open and no timer is set.';
    case 'crash':
      return 'The process of the script ended unexpectedly. Other scripts are not affected; the script may be run again.';
  }
}

/** Printed once, in place of the lines that were dropped. */
export function droppedLinesWords({ logLines, outputBytes }: SandboxLimits): string {
  return `Further lines are dropped: a script may write ${logLines} lines (code.logLines) of ${outputBytes} bytes together (code.outputBytes).`;
}

/** The limit behind an engine error that a script cannot influence. */
export function limitBehind({ name, message }: SandboxError): SandboxLimit | undefined {
  if (name === 'InternalError' && /^(out of memory|string too long)$/.test(message))
    return 'memory';
  const isStack = message === 'Maximum call stack size exceeded' || message === 'stack overflow';
  return isStack && (name === 'RangeError' || name === 'InternalError') ? 'stack' : undefined;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
