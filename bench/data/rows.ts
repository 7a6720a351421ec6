import { existsSync, readFileSync } from 'node:fs';

/** Rows of a JSON Lines file; an error names the file and the line. */
export function readRows(path: string): readonly unknown[] {
  if (!existsSync(path)) throw new Error(`${path}: no such file`);
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as unknown];
      } catch (error) {
        throw new Error(`${path}:${at + 1}: not JSON`, { cause: error });
      }
    });
}
