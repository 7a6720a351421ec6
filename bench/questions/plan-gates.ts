/** Whether trace features pass the gate of plans and next steps on public sets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Store } from '../../src/store/index.js';
import { dataFile } from '../data/kit.js';
import { modelsWithout } from '../data/left-out-weights.js';
import { PLANNING_SETS, splitSet } from '../data/planning-sets.js';
import { readyDiscovery } from '../data/ready-discovery.js';
import { readySuggester } from '../data/ready-suggester.js';
import { readToolSet } from '../data/tool-set.js';
import type { Row } from '../report.js';

export async function planGates(name: string, store: Store): Promise<readonly Row[]> {
  const set = PLANNING_SETS.find((one) => one.name === name);
  if (!set) return [];
  const folder = mkdtempSync(join(tmpdir(), 'pml-questions-'));
  try {
    const { memory } = splitSet(set, folder);
    const toolSet = readToolSet(dataFile(name, 'tools.jsonl'));
    await using ready = await readyDiscovery({ store, tools: toolSet, memory, say: () => {} });
    const { discovery } = ready;
    const shipped = modelsWithout(name);
    const suggester = await readySuggester({ discovery, toolSet, memory, shipped });
    const gates = suggester.status.learned?.features;
    if (!gates) return [];
    return (['members', 'next'] as const).flatMap((part): Row[] => {
      const { gain, error, answers, isBetter } = gates[part];
      const row = { unit: 'points', n: answers };
      return [
        { ...row, name: `${name}: ${part}: gain of features`, value: 100 * gain },
        { ...row, name: `${name}: ${part}: its error`, value: 100 * error },
        { ...row, name: `${name}: ${part}: gate open`, value: isBetter ? 1 : 0, unit: '' },
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
