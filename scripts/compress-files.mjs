// Compressed copies beside the files of the page: made once here, so that the daemon compresses nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const COMPRESSED = /\.(js|css|html|svg|json)$/;
/** A packet holds as much; compressing less saves nothing. */
const LEAST_BYTES = 512;

export function compressFiles(directory) {
  for (const name of readdirSync(directory, { recursive: true })) {
    const path = join(directory, String(name));
    if (!COMPRESSED.test(path)) continue;
    const content = readFileSync(path);
    if (content.length < LEAST_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
