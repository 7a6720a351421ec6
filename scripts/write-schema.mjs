// Writes pml.schema.json from the built configuration schema. Run after the build.
import { writeFile } from 'node:fs/promises';

import { configJsonSchemaText } from '../dist/config/json-schema.js';

const target = new URL('../pml.schema.json', import.meta.url);
await writeFile(target, configJsonSchemaText());
