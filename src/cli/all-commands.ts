import { type CommandLoaders, QUICK_COMMANDS } from './quick-commands.js';

export const ALL_COMMANDS: CommandLoaders = {
  ...QUICK_COMMANDS,
  init: async () => (await import('./init/init.js')).initCommand(),
  eject: async () => (await import('./init/eject.js')).ejectCommand(),
  add: async () => (await import('./add/add.js')).addCommand(),
  remove: async () => (await import('./add/remove.js')).removeCommand(),
  auth: async () => (await import('./auth/auth.js')).authCommand(),
  token: async () => (await import('./token/token.js')).tokenCommand(),
  doctor: async () => (await import('./doctor/doctor.js')).doctorCommand(),
  demo: async () => (await import('./demo/demo.js')).demoCommand(),
  trust: async () => (await import('./init/trust.js')).trustCommand(),
  service: async () => (await import('./service/service.js')).serviceCommand(),
  completion: async () => (await import('./complete/completion.js')).completionCommand(),
  version: async () => (await import('./help/version.js')).versionCommand(),
  serve: async () => (await import('./serve/serve-http.js')).serveCommand(),
  ui: async () => (await import('./serve/ui.js')).uiCommand(),
  restart: async () => (await import('./serve/stop.js')).restartCommand(),
  stop: async () => (await import('./serve/stop.js')).stopCommand(),
};
