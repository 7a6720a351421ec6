/**
 * Variables every server gets. Anything else, secrets above all, must be declared in its entry:
 * a server sees only what the user gave it.
 */
const INHERITED = (
  process.platform === 'win32'
    ? `APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA
       PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR`
    : `HOME LANG LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME
       XDG_DATA_HOME XDG_RUNTIME_DIR NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE
       HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy`
).split(/\s+/);

export function childEnvironment(
  parent: NodeJS.ProcessEnv,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const key of INHERITED) {
    const value = parent[key];
    // An exported shell function is code, not a value.
    if (value !== undefined && !value.startsWith('()')) environment[key] = value;
  }
  return { ...environment, ...declared };
}
