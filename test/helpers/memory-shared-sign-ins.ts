import type { SharedSignIns } from '../../src/core/index.js';

/** Rows that several stores in one process share, with leases on the clock of the process. */
export function memorySharedSignIns() {
  const rows = new Map<string, { sealed?: Uint8Array; owner?: string; until?: number }>();
  const shared: SharedSignIns = {
    read: async (id) => rows.get(id)?.sealed,
    async write(id, owner, sealed) {
      const row = rows.get(id);
      if (row?.owner !== owner) return false;
      rows.set(id, { ...row, sealed: sealed! });
      return true;
    },
    async lease(id, owner, ms) {
      const row = rows.get(id) ?? {};
      const isFree = row.owner === undefined || row.owner === owner || row.until! < Date.now();
      if (isFree) rows.set(id, { ...row, owner, until: Date.now() + ms });
      return isFree;
    },
    async release(id, owner) {
      const { sealed, owner: present } = rows.get(id) ?? {};
      if (present === owner) rows.set(id, sealed ? { sealed } : {});
    },
  };
  return { rows, shared };
}
