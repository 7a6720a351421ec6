import { asText, type CatalogServer } from '../core/index.js';

const MOST_CHARACTERS = 400;

/** What a server says it is for, with its name; empty when it says nothing. */
export function describeServer({ name, listing }: CatalogServer): string {
  const { serverInfo, instructions = '' } = listing;
  const purpose = [asText(serverInfo['description']), instructions].find((text) => text.trim());
  if (!purpose) return '';
  const title = asText(serverInfo['title']) || name.replaceAll(/[-_.]+/g, ' ');
  return `${title}: ${purpose.replaceAll(/\s+/g, ' ').trim()}`.slice(0, MOST_CHARACTERS);
}
