import { commandTables } from './command-tables.js';
import { configTables } from './config-tables.js';
import { decisionIndex } from './decision-index.js';
import { errorTable } from './error-table.js';

const DOCS = new URL('../../docs/', import.meta.url);

export interface GeneratedPart {
  readonly page: URL;
  readonly name: string;
  readonly text: string;
}

/** What the code says and a page repeats. A test fails when a page says something else. */
export async function generatedParts(): Promise<readonly GeneratedPart[]> {
  const part = (page: string, name: string, text: string) => ({
    page: new URL(page, DOCS),
    name,
    text,
  });
  return [
    part('commands.md', 'commands', await commandTables()),
    part('configuration.md', 'configuration', configTables()),
    part('errors.md', 'errors', errorTable()),
    part('decisions/README.md', 'decisions', decisionIndex(new URL('decisions/', DOCS))),
  ];
}

/** The page with what lies between the two marks of this part replaced. */
export function replacePart(page: string, { name, text }: Pick<GeneratedPart, 'name' | 'text'>) {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page lacks the marks ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}
