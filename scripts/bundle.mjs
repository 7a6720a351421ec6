// Bundles what runs in production: the loader of Node spends most of the start of a command, and a good
// part of the start of a daemon, on opening and linking a thousand small files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, relative, sep } from 'node:path';

import { rolldown } from 'rolldown';

/** Started by path, each in a process or a thread of its own. */
const ENTRIES = [
  'cli',
  'store/embedded/pglite-worker',
  'embedding/model-process',
  'training/learning-process',
];
/** Packages with binaries beside their code, and optional ones. */
const EXTERNAL =
  /^(node:|@electric-sql\/|@huggingface\/|onnxruntime-|oxc-|quickjs-wasi|pg-native$|pg-cloudflare$)/;
const CHUNKS = 'chunks';
const QUICK = 'quick';
/** The relay and the daemon. */
const RESIDENT = 'resident';
/** Where an entry wants to know its build. */
const BUILD = '__BUILD__';
const TOKENIZER = 'gpt-tokenizer/encoding/o200k_base';

/** What most of the quick commands need stands in few files: each costs time at their start. */
const QUICK_GROUPS = [
  {
    name: 'ask',
    test: moduleOf('cli/(daemon/(ask|command)|print/(?!read-rows)\\w[\\w-]*)'),
    priority: 2,
  },
  { name: 'attend', test: moduleOf('cli/runs/(attend|find|marks)'), priority: 1 },
  {
    name: 'tool',
    test: moduleOf('cli/tools/(tool-flags|find-tool|describe-\\w+|token-meter)'),
    priority: 1,
  },
];

function moduleOf(path) {
  return new RegExp(`[\\\\/]src[\\\\/]${path.replaceAll('/', '[\\\\/]')}\\.ts$`);
}

/** Writes the entries and their chunks to `dist`; removes chunks of earlier builds. */
export async function bundle(root, dist) {
  const sources = join(root, 'src');
  const input = Object.fromEntries(ENTRIES.map((name) => [name, join(sources, `${name}.ts`)]));
  const parts = await write(dist, CHUNKS, {
    input,
    plugins: [leaveToResident(), keepAddresses(sources), loadBuiltinsQuickly()],
    output: {
      format: 'esm',
      entryFileNames: '[name].js',
      // The same names in every build: a daemon that runs while PML is updated still finds what it loads
      // late, such as what it needs to answer `pml stop`.
      chunkFileNames: `${CHUNKS}/[name].js`,
    },
  });
  const quick = await write(dist, QUICK, {
    input: { pml: join(sources, 'pml.ts') },
    plugins: [leaveToModules(sources), keepAddresses(sources), loadBuiltinsQuickly(), nameBuild()],
    output: {
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: `${QUICK}/[name].cjs`,
      codeSplitting: { groups: QUICK_GROUPS },
      banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
    },
  });
  const resident = await write(dist, RESIDENT, {
    input: { resident: join(sources, 'cli/serve/resident.ts') },
    plugins: [keepAddresses(sources), loadBuiltinsQuickly(), loadParserLate(), nameBuild()],
    output: {
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: `${RESIDENT}/[name].cjs`,
    },
  });
  writeLicences(dist, [...parts, ...quick, ...resident]);
}

async function write(dist, folder, { output, ...options }) {
  const build = await rolldown({
    platform: 'node',
    transform: { target: 'node20.19' },
    external: EXTERNAL,
    // Some packages have a `main` that only CommonJS can load.
    resolve: { mainFields: ['module', 'main'] },
    // What needs `import.meta.resolve` runs from the sources only.
    checks: { emptyImportMeta: false, ineffectiveDynamicImport: false },
    ...options,
  });
  const { output: parts } = await build.write({
    dir: dist,
    minifyInternalExports: false,
    comments: false,
    ...output,
  });
  await build.close();
  const written = new Set(parts.map(({ fileName }) => fileName));
  for (const file of readdirSync(join(dist, folder))) {
    if (!written.has(`${folder}/${file}`)) rmSync(join(dist, folder, file));
  }
  return parts;
}

/** What the quick commands rarely need and is large stays with the modules. */
function leaveToModules(sources) {
  return {
    name: 'leave-to-modules',
    resolveId(source, importer) {
      if (source === './cli.js' && importer === join(sources, 'pml.ts')) {
        return { id: './cli.js', external: true };
      }
      if (source !== TOKENIZER) return undefined;
      return { id: `../${CHUNKS}/${basename(TOKENIZER)}.js`, external: true };
    },
  };
}

/** `require`, because `import` of CommonJS reads all of its text for the names of its exports. */
function leaveToResident() {
  const file = `./${RESIDENT}.cjs`;
  return {
    name: 'leave-to-resident',
    resolveId: (source) =>
      source === './cli/serve/resident.js' ? { id: file, external: true } : undefined,
    renderChunk: (code) =>
      code.replaceAll(
        `import("${file}")`,
        `process.getBuiltinModule("node:module").createRequire(import.meta.url)("${file}")`,
      ),
  };
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
    renderChunk(code, { fileName }, { format }) {
      const up = '../'.repeat(fileName.split('/').length - 1) || './';
      const own =
        format === 'cjs' ? 'require("node:url").pathToFileURL(__filename)' : 'import.meta.url';
      return code.replaceAll(
        /__ADDRESS_OF__\("([^"]+)"\)/g,
        (_, path) => `new URL(${JSON.stringify(up + path)}, ${own}).href`,
      );
    },
  };
}

/**
 * `import` of a built-in module makes Node read all of its exports, which loads parts that nothing uses;
 * `process.getBuiltinModule` does not. Commander loads `node:child_process` for programs that are commands
 * of others: PML has none.
 */
function loadBuiltinsQuickly() {
  const get = (name) => `globalThis.process.getBuiltinModule(${JSON.stringify(name)})`;
  return {
    name: 'load-builtins-quickly',
    transform(code, id) {
      if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
      const eager = "const childProcess = require('node:child_process');";
      if (!code.includes(eager)) throw new Error(`${id} loads node:child_process in another way`);
      return code
        .replace(eager, '')
        .replaceAll('childProcess.spawn', `${get('node:child_process')}.spawn`);
    },
    renderChunk(code) {
      return code
        .replace(
          '(() => createRequire(import.meta.url))()',
          '(id) => createRequire(import.meta.url)(id)',
        )
        .replaceAll(/__require\("(?:node:)?([\w/]+)"\)/g, (call, name) =>
          isBuiltin(name) ? get(`node:${name}`) : call,
        )
        .replaceAll(
          /^import \{([^}]*)\} from "(node:[\w/]+)";$/gm,
          (_, names, from) => `const {${names.replaceAll(' as ', ': ')}} = ${get(from)};`,
        );
    },
  };
}

/** The parser of scripts comes with the first script: no list needs it. */
function loadParserLate() {
  const eager = 'let oxc_parser = require("oxc-parser");';
  return {
    name: 'load-parser-late',
    renderChunk(code) {
      if (!code.includes('oxc-parser')) return undefined;
      if (!code.includes(eager)) throw new Error('the bundle loads oxc-parser in another way');
      return code
        .replaceAll(/\boxc_parser\./g, 'oxc_parser().')
        .replace(
          eager,
          'let loadedParser; const oxc_parser = () => (loadedParser ??= require("oxc-parser"));',
        );
    },
  };
}

/** Compiled code is kept by build: the entry holds a hash of all that is bundled with it. */
function nameBuild() {
  return {
    name: 'name-build',
    generateBundle(_, parts) {
      const hash = createHash('sha256');
      for (const name of Object.keys(parts).toSorted((a, b) => (a < b ? -1 : 1))) {
        hash.update(`${name}\0${parts[name].code ?? ''}\0`);
      }
      const entry = Object.values(parts).find(({ isEntry }) => isEntry);
      if (!entry.code.includes(BUILD)) throw new Error('the entry names no build');
      entry.code = entry.code.replace(BUILD, hash.digest('hex').slice(0, 12));
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
