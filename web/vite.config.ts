import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The page and the layout worker are two entries of one build, so that they share the chunk of the
 * graph library: a worker that Vite bundles by itself would ship a second copy.
 */
export default defineConfig({
  root: at('.'),
  base: '/ui/',
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { index: at('index.html'), 'layout-worker': at('src/graph/layout-worker.ts') },
    },
  },
});
