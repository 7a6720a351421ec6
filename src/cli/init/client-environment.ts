import type { Client } from '../../clients/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a desktop session gives every program; the rest of a shell's variables it does not know. */
const OF_THE_SESSION =
  /^(HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|TZ|DISPLAY|WAYLAND_DISPLAY|DBUS_\w+|XDG_\w+)$/;

const OF_THE_TERMINAL: ReadonlySet<Client> = new Set([
  'claude-code',
  'codex',
  'gemini',
  'goose',
  'opencode',
]);

const SEARCHED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/usr/bin:/bin:/usr/sbin:/sbin',
};
const USUALLY_SEARCHED = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/**
 * The environment in which a client starts its servers, as far as it can be known from here. A client
 * of the terminal has that of the shell. A program with a window has neither the `PATH` nor the
 * variables that the files of a shell set; on Windows all programs share them.
 */
export function clientEnvironment(
  client: Client,
  { env, platform }: { readonly env: Environment; readonly platform: NodeJS.Platform },
): Record<string, string> {
  const isShared = OF_THE_TERMINAL.has(client) || platform === 'win32';
  const known = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isShared || OF_THE_SESSION.test(entry[0])),
  );
  const path = isShared ? {} : { PATH: SEARCHED[platform] ?? USUALLY_SEARCHED };
  return { ...Object.fromEntries(known), ...path };
}
