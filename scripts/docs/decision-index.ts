import { readdirSync, readFileSync } from 'node:fs';

/** A line for every file of `docs/decisions`, with its title. */
export function decisionIndex(folder: URL): string {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted()
    .map((file) => {
      const [, title = file] = /^# (.+)$/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
      return `- [${title}](${file})`;
    })
    .join('\n');
}
