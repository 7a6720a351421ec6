/** Paths that are still right tomorrow, for entries in the files of clients. */

/** Resolves links; undefined when there is no such file. */
export type RealPath = (path: string) => string | undefined;

/**
 * Real paths that hold a version, and the link beside them that package managers keep when they replace
 * it: Homebrew's `opt`, and the package folder of pnpm.
 */
const VERSIONED: readonly (readonly [RegExp, string])[] = [
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\/(.*)$/, '$1/opt/$2/$3'],
  [/^(.*)[\\/]\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/](.*)$/, '$1/$2'],
];

/**
 * The path to write down for a program that runs now. Links are resolved first: that of a version
 * manager (`fnm_multishells`, `.nvm/current`) may belong to one shell alone and end with it.
 */
export function stablePath(path: string, realPath: RealPath): string {
  const real = realPath(path) ?? path;
  for (const [pattern, replacement] of VERSIONED) {
    if (!pattern.test(real)) continue;
    const link = real.replace(pattern, replacement);
    if (realPath(link) === real) return link;
  }
  return real;
}
