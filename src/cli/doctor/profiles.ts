/** Judges the profiles of a configuration. Pure. */
import type { LoadedConfig } from '../../config/load.js';
import { matchGlobs } from '../../core/index.js';
import { type Finding, ok, warn } from './finding.js';

export function judgeProfiles({
  file,
  servers,
}: Pick<LoadedConfig, 'file' | 'servers'>): readonly Finding[] {
  const names = [...servers.keys()];
  return Object.entries(file.profiles).map(([name, { servers: globs, permissions }]) => {
    const what = `profile ${name}`;
    const strange = globs.filter((glob) => glob !== '*' && !names.some(matchGlobs([glob])));
    if (strange.length > 0) {
      const fix = `There are: ${names.toSorted().join(', ') || 'none'}.`;
      return warn(what, `no server is called ${strange.join(', ')}`, fix);
    }
    const own = names.filter(matchGlobs(globs));
    const reads = permissions.readOnly ? ', only reads' : '';
    const isDefault = name === file.profile ? ', default' : '';
    return ok(what, `${own.length} of ${names.length} servers${reads}${isDefault}`);
  });
}
