// Module hooks that run our TypeScript where Node 20 cannot, with nothing done to it but taking away
// the types. Loads in a fraction of the time tsx needs, so it is what a thread of a test uses; syntax
// that Node 20 does not know (`using`) is left to tsx.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { transformSync } from 'oxc-transform';

export function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = transformSync(path, readFileSync(path, 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return { format: 'module', source: code, shortCircuit: true };
}
