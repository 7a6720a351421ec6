import type { ControlParams, ControlResult } from '../contract.js';
import type { OpenHttp } from '../contract/status.js';

interface HttpDaemon {
  openHttp(port: number | undefined): Promise<OpenHttp>;
  closeHttp(): Promise<void>;
}

export async function openHttp(
  daemon: HttpDaemon,
  { port }: ControlParams<'http-open'>,
): Promise<OpenHttp> {
  return daemon.openHttp(port);
}

export async function closeHttp(daemon: HttpDaemon): Promise<ControlResult<'http-close'>> {
  await daemon.closeHttp();
  return {};
}
