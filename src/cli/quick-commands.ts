import type { Command } from 'commander';

/** How to load each command, by its name. */
export type CommandLoaders = Readonly<Record<string, () => Promise<Command>>>;

/** Commands that ask the daemon and print its answer: they load nothing else of PML. */
export const QUICK_COMMANDS: CommandLoaders = {
  status: async () => (await import('./serve/status.js')).statusCommand(),
  logs: async () => (await import('./serve/logs.js')).logsCommand(),
  list: async () => (await import('./tools/list.js')).listCommand(),
  tools: async () => (await import('./tools/tools.js')).toolsCommand(),
  search: async () => (await import('./tools/search.js')).searchCommand(),
  call: async () => (await import('./tools/call.js')).callCommand(),
  result: async () => (await import('./tools/result.js')).resultCommand(),
  index: async () => (await import('./tools/index-tools.js')).indexCommand(),
  run: async () => (await import('./runs/run.js')).runCommand(),
  runs: async () => (await import('./runs/runs.js')).runsCommand(),
  show: async () => (await import('./runs/show.js')).showCommand(),
  watch: async () => (await import('./runs/watch.js')).watchCommand(),
  continue: async () => (await import('./runs/continue.js')).continueCommand(),
  capabilities: async () => (await import('./capabilities/capabilities.js')).capabilitiesCommand(),
  explain: async () => (await import('./learned/explain.js')).explainCommand(),
  metrics: async () => (await import('./learned/metrics.js')).metricsCommand(),
  graph: async () => (await import('./learned/graph.js')).graphCommand(),
  import: async () => (await import('./learned/import.js')).importCommand(),
  forget: async () => (await import('./learned/forget.js')).forgetCommand(),
};
