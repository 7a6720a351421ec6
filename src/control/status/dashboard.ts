import type { OpenDashboard } from '../contract/status.js';

export async function openDashboard(daemon: {
  openDashboard(): Promise<OpenDashboard>;
}): Promise<OpenDashboard> {
  return daemon.openDashboard();
}
