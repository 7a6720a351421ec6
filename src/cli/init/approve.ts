import pc from 'picocolors';

import { findConfig } from '../../config/find.js';
import { loadConfig, type LoadedConfig } from '../../config/load.js';
import { trust } from '../../config/trust.js';
import type { JsonObject } from '../../core/index.js';
import { canonicalJson, isJsonObject } from '../../core/json.js';
import { visible } from '../../core/visible-text.js';
import { page } from '../print/page.js';
import { heading, print, printJson } from '../print/print.js';
import { adoptData, describeUnused, findUnusedData } from './adopt-data.js';
import { describeEntry } from './print.js';
import type { TrustFlags } from './trust.js';

/** What `describeEntry` and the line above it say; everything else is shown as JSON. */
const SAID = new Set(['command', 'args', 'url', 'env', 'headers', 'cwd', 'enabled']);

/** Shows all a project's file would start, in full, and approves exactly that with `--yes`. */
export async function approveConfig(flags: TrustFlags): Promise<void> {
  const { env } = process;
  const { path } = findConfig({ cwd: process.cwd(), env, explicit: flags.config });
  const loaded = await loadConfig(path, env);
  const unused = findUnusedData(loaded);
  if (flags.json) return approveAsJson(loaded, { unused, flags });
  await page(describeTrustable(loaded));
  if (unused) {
    print(pc.yellow(visible(describeUnused(unused))));
    if (!flags.adoptData) print('If it is yours, add --adopt-data to take it over.');
  }
  if (!flags.yes) {
    const adopting = flags.adoptData ? ' --adopt-data' : '';
    print(`Nothing was changed. To approve exactly this: pml trust${adopting} --yes`);
    return;
  }
  if (unused && flags.adoptData) {
    await adoptData(unused);
    print(`Took over the data: ${visible(loaded.dataDir)}`);
  }
  await trust(loaded, { env });
  print('Approved.');
}

interface Approval {
  readonly unused: ReturnType<typeof findUnusedData>;
  readonly flags: TrustFlags;
}

async function approveAsJson(loaded: LoadedConfig, { unused, flags }: Approval): Promise<void> {
  const isAdopted = flags.yes === true && flags.adoptData === true && unused !== undefined;
  if (isAdopted) await adoptData(unused);
  if (flags.yes) await trust(loaded, { env: process.env });
  const { path, trustable } = loaded;
  printJson({ path, approved: flags.yes === true, adoptedData: isAdopted, starts: trustable });
}

/** Everything an approval covers, as the file says it: references to variables stay references. */
export function describeTrustable({ path, trustable, broken }: LoadedConfig): string[] {
  const { mcpServers, ...settings } = trustable;
  const servers = Object.entries(isJsonObject(mcpServers) ? mcpServers : {});
  const reasons = new Map<string, string>(broken);
  return [
    heading(`${visible(path)} starts:`),
    ...servers.flatMap(([name, entry]) =>
      describeServer(name, isJsonObject(entry) ? entry : {}, reasons.get(name)),
    ),
    ...(Object.keys(settings).length > 0 ? [heading('and sets:')] : []),
    ...describeRest(settings, '  '),
  ];
}

function describeServer(name: string, entry: JsonObject, broken: string | undefined): string[] {
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !SAID.has(key)));
  return [
    `  ${pc.bold(visible(name))}${entry['enabled'] === false ? pc.dim(' (disabled)') : ''}`,
    ...describeEntry(entry, 'all'),
    ...describeRest(rest, '      '),
    ...(broken === undefined ? [] : [pc.yellow(`      cannot be used now: ${visible(broken)}`)]),
  ];
}

function describeRest(values: JsonObject, indent: string): string[] {
  return Object.entries(values).map(
    ([key, value]) => `${indent}${visible(key)} ${visible(canonicalJson(value))}`,
  );
}
