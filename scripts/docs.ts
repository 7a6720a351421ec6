/** `npm run docs`: writes what the code says (commands, settings, error codes) into the pages. */
import { readFileSync, writeFileSync } from 'node:fs';

import { generatedParts, replacePart } from './docs/generated-parts.js';

for (const part of await generatedParts()) {
  writeFileSync(part.page, replacePart(readFileSync(part.page, 'utf8'), part));
}
