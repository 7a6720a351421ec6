import { type CatalogTool, serverName, toolId } from '../../src/core/index.js';

const VERBS = 'create read update delete list search send fetch export merge archive share'.split(
  ' ',
);
const NOUNS =
  'issue file message invoice customer branch table image calendar event ticket report deployment contact order payment document folder user channel'.split(
    ' ',
  );
const PLACES =
  'github slack postgres drive notion linear stripe jira gmail figma sentry aws azure shopify hubspot'.split(
    ' ',
  );
export const INTENTS = [
  'create an issue about a failing deployment',
  'send a message to a channel',
  'list all invoices of a customer',
  'merge a branch',
  'find documents that a user shared',
];

/** The same tools every time: every combination of words, numbered when they run out. */
export function syntheticTools(size: number): readonly CatalogTool[] {
  return Array.from({ length: size }, (_, i) => {
    const pick = (words: readonly string[], step: number) =>
      words[Math.floor(i / step) % words.length] ?? '';
    const verb = pick(VERBS, 1);
    const noun = pick(NOUNS, VERBS.length);
    const place = pick(PLACES, VERBS.length * NOUNS.length);
    const name = `${verb}_${noun}_${Math.floor(i / 3_600)}`;
    const server = serverName(place);
    const properties = { [`${noun}_id`]: { type: 'string', description: `Which ${noun}` } };
    return {
      id: toolId(server, name),
      server,
      definition: {
        name,
        description: `${verb} a ${noun} in ${place}. Gives back the ${noun} with its ${pick(NOUNS, 7)}.`,
        inputSchema: { type: 'object', properties },
      },
      hash: String(i),
      status: 'active',
      firstSeen: new Date(0),
      lastSeen: new Date(0),
    };
  });
}
