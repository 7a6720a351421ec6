/** The SDK is loaded with the first server that asks for a sign-in: most users have none. */
export function loadSdk() {
  return import('@modelcontextprotocol/client');
}
