import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const WORKER = 'layout-worker';

/**
 * The page and the layout worker are two entries of one build, so that they share the chunk of the
 * graph library: a worker that Vite bundles by itself would ship a second copy. The page finds the
 * hashed name of the worker in its head.
 */
function nameWorker(): Plugin {
  return {
    name: 'name-layout-worker',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const worker = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.name === WORKER,
        );
        if (!worker) return [];
        const content = `/ui/${worker.fileName}`;
        return [{ tag: 'meta', attrs: { name: WORKER, content }, injectTo: 'head' as const }];
      },
    },
  };
}

export default defineConfig({
  root: at('.'),
  base: '/ui/',
  // No file of another folder, no address of another machine.
  publicDir: false,
  plugins: [nameWorker()],
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the page allows no `data:` addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rollupOptions: {
      input: { index: at('index.html'), [WORKER]: at('src/graph/layout-worker.ts') },
    },
  },
});
