import { readFileSync } from 'node:fs';

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export const VERSION = manifest.version;

/** Which compiled sources run, made by the build; `source` where nothing was compiled. */
export const BUILD = readBuild();

function readBuild(): string {
  try {
    const text = readFileSync(new URL('../build.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { id: string }).id;
  } catch {
    return 'source'; // Tests and benches run the sources as they are.
  }
}
