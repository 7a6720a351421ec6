// Bundles what runs in production: the loader of Node spends most of the start of a command, and a good
// part of the start of a daemon, on opening and linking a thousand small files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { rolldown } from 'rolldown';

/** Started by path, each in a process or a thread of its own. */
const ENTRIES = [
  'cli',
  'store/embedded/pglite-worker',
  'embedding/model-process',
  'training/learning-process',
];
/** Packages with binaries beside their code, and those that are not there for everybody. */
const EXTERNAL =
  /^(node:|@electric-sql\/|@huggingface\/|onnxruntime-|oxc-|quickjs-wasi|pg-native$|pg-cloudflare$)/;
const CHUNKS = 'chunks';

/** Writes the entries and their chunks to `dist`; removes chunks of earlier builds. */
export async function bundle(root, dist) {
  const sources = join(root, 'src');
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(sources, `${name}.ts`)])),
    platform: 'node',
    transform: { target: 'node20.19' },
    external: EXTERNAL,
    // Some packages have a `main` that only CommonJS can load.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [keepAddresses(sources)],
  });
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    // The same names in every build: a daemon that runs while PML is updated still finds what it loads
    // late, such as what it needs to answer `pml stop`.
    chunkFileNames: `${CHUNKS}/[name].js`,
    minifyInternalExports: false,
  });
  await build.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const file of readdirSync(join(dist, CHUNKS))) {
    if (!written.has(`${CHUNKS}/${file}`)) rmSync(join(dist, CHUNKS, file));
  }
  writeLicences(dist, output);
}

/** Modules find files beside them by their own address: in a chunk they keep the one they had. */
function keepAddresses(sources) {
  const address = (id) => relative(sources, id).split(sep).join('/').replace(/\.ts$/, '.js');
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!id.startsWith(sources + sep) || !code.includes('import.meta.url')) return undefined;
      return code.replaceAll('import.meta.url', `__ADDRESS_OF__(${JSON.stringify(address(id))})`);
    },
    renderChunk(code, { fileName }) {
      const up = '../'.repeat(fileName.split('/').length - 1) || './';
      return code.replaceAll(
        /__ADDRESS_OF__\("([^"]+)"\)/g,
        (_, path) => `new URL(${JSON.stringify(up + path)}, import.meta.url).href`,
      );
    },
  };
}

/** Bundled packages are part of ours, so their licences come with it. */
function writeLicences(dist, output) {
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const names = modules.map(
    (id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll(sep, '/'))?.[0],
  );
  const folders = [...new Set(names.filter((one) => one !== undefined))].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json')));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(join(dist, 'third-party-licenses.txt'), texts.join(`\n${'-'.repeat(72)}\n\n`));
}
