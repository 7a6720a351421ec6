export { askDaemon, type AskOptions, type DaemonGreeting } from './control-client.js';
export { type ControlHandler, DaemonServer, type DaemonServerOptions } from './daemon-server.js';
export { adoptDataDir, assertSafe, type DataDir, isForeign } from './data-dir.js';
export { writeNewPrivate } from './private-file.js';
export { describeSilence, lookAtSilentDaemon, silenceError } from './silent-daemon.js';
export { socketPath } from './socket-path.js';
