import type { FileFormat } from './file-format.js';
import { jsonFormat } from './json-format.js';
import { tomlFormat } from './toml-format.js';
import { yamlFormat } from './yaml-format.js';

/** The format of a client's file, by its name. */
export function formatOf(path: string): FileFormat {
  if (/\.toml$/i.test(path)) return tomlFormat;
  return /\.ya?ml$/i.test(path) ? yamlFormat : jsonFormat;
}
