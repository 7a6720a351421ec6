/** Compiles globs (`*` any run of characters, `?` one character) to one predicate over whole strings. */
export function matchGlobs(globs: readonly string[]): (text: string) => boolean {
  if (globs.length === 0) return () => false;
  const patterns = globs.map(globToRegExp);
  return (text) => patterns.some((pattern) => pattern.test(text));
}

function globToRegExp(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'is');
}
