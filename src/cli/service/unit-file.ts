/** The file that makes the system start PML with the user's session. Pure. */
import { posix } from 'node:path';

import { PmlError } from '../../core/errors.js';

const NAME = 'pml';
const LABEL = 'local.pml.serve';

export interface ServicePlace {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly uid: number;
  readonly configHome?: string | undefined;
}

export interface ServiceProgram {
  /** Node, the command line of PML, and what follows. */
  readonly command: readonly string[];
  /** Servers are started with it: a session of the system knows fewer programs than a terminal. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  /** What makes the system read the file and start the service. */
  readonly install: readonly (readonly string[])[];
  /** What ends it, before the file is removed, and after that. */
  readonly uninstall: readonly (readonly string[])[];
  readonly afterRemoval: readonly (readonly string[])[];
}

export function serviceFile(place: ServicePlace, program: ServiceProgram): ServiceFile {
  if (place.platform === 'linux') return systemdFile(place, program);
  if (place.platform === 'darwin') return launchdFile(place, program);
  throw new PmlError(
    'BAD_REQUEST',
    `pml service knows systemd and launchd, not ${place.platform}. Have your system start this when you log in: ${program.command.join(' ')}`,
  );
}

function systemdFile({ home, configHome }: ServicePlace, program: ServiceProgram): ServiceFile {
  const folder = posix.join(configHome || posix.join(home, '.config'), 'systemd', 'user');
  const unit = `${NAME}.service`;
  const systemctl = (...args: string[]) => ['systemctl', '--user', ...args];
  const environment = Object.entries(program.environment).map(
    ([key, value]) => `Environment=${quoteUnit(`${key}=${value}`)}`,
  );
  return {
    path: posix.join(folder, unit),
    text: `${[
      '[Unit]',
      'Description=PML: one MCP server in front of all of yours',
      '',
      '[Service]',
      `ExecStart=${program.command.map(quoteCommand).join(' ')}`,
      ...environment,
      'Restart=on-failure',
      '',
      '[Install]',
      'WantedBy=default.target',
    ].join('\n')}\n`,
    install: [systemctl('daemon-reload'), systemctl('enable', '--now', unit)],
    uninstall: [systemctl('disable', '--now', unit)],
    afterRemoval: [systemctl('daemon-reload')],
  };
}

/** systemd reads quotes, backslashes and `%`, and in commands `$` as well. */
function quoteUnit(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

function quoteCommand(word: string): string {
  return quoteUnit(word).replaceAll('$', '$$$$');
}

function launchdFile({ home, uid }: ServicePlace, program: ServiceProgram): ServiceFile {
  const path = posix.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const strings = program.command.map((word) => `    <string>${escapeXml(word)}</string>`);
  const variables = Object.entries(program.environment).map(
    ([key, value]) => `    <key>${escapeXml(key)}</key><string>${escapeXml(value)}</string>`,
  );
  return {
    path,
    text: `${[
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      '<plist version="1.0"><dict>',
      `  <key>Label</key><string>${LABEL}</string>`,
      '  <key>ProgramArguments</key><array>',
      ...strings,
      '  </array>',
      '  <key>EnvironmentVariables</key><dict>',
      ...variables,
      '  </dict>',
      '  <key>RunAtLoad</key><true/>',
      '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
      '</dict></plist>',
    ].join('\n')}\n`,
    install: [['launchctl', 'bootstrap', `gui/${uid}`, path]],
    uninstall: [['launchctl', 'bootout', `gui/${uid}/${LABEL}`]],
    afterRemoval: [],
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
