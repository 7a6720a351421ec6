import { stem } from './stem.js';

/**
 * Words that tool authors and agents use for one another. Short on purpose: it bridges the
 * vocabulary of tool names (verbs, common nouns, abbreviations), not of the world.
 */
const GROUPS = [
  'delete remove erase drop',
  'create make add new insert',
  'get fetch retrieve read obtain load',
  'list show enumerate browse',
  'search find lookup look',
  'update edit modify change patch',
  'send post publish',
  'run execute invoke launch',
  'write save store',
  'rename move',
  'directory folder dir',
  'repository repo',
  'database db sqlite postgres mysql sql',
  'image picture photo img',
  'message msg',
  'documentation docs doc document',
  'website webpage web page url site internet',
  'screenshot capture snapshot',
  'chart graph plot diagram',
  'email mail',
  'configuration config settings',
  'environment env',
  'issue ticket bug',
  'spreadsheet excel worksheet sheet',
  'calendar event meeting appointment',
  'pod container',
  'add sum plus',
  'divide div',
  'multiply mul',
  'subtract sub minus',
].map((group) => group.split(' ').map(stem));

const RELATED = new Map<string, ReadonlySet<string>>();
for (const group of GROUPS) {
  for (const term of group) {
    const others = [...(RELATED.get(term) ?? []), ...group].filter((other) => other !== term);
    RELATED.set(term, new Set(others));
  }
}

export function relatedTerms(term: string): Iterable<string> {
  return RELATED.get(term) ?? [];
}
