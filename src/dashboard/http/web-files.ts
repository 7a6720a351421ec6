import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** Files of the page by their path below `/ui/`. What is not in it does not exist: no path leads out. */
export interface WebFiles {
  readonly files: ReadonlyMap<string, WebFile>;
}

interface WebFile {
  readonly path: string;
  readonly type: string;
  /** Endings of compressed copies beside it. */
  readonly encodings: readonly Encoding[];
}

type Encoding = 'br' | 'gz';

const ENCODINGS: readonly Encoding[] = ['br', 'gz'];
const NAMES: Readonly<Record<Encoding, string>> = { br: 'br', gz: 'gzip' };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Reads the names once; their content is read when it is asked for. */
export function loadWebFiles(directory: string): WebFiles {
  const names = readdirSync(directory, { recursive: true }).map((name) =>
    String(name).replaceAll('\\', '/'),
  );
  const known = new Set(names);
  const files = names.flatMap((name): [string, WebFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const encodings = ENCODINGS.filter((encoding) => known.has(`${name}.${encoding}`));
    return [[name, { path: join(directory, name), type, encodings }]];
  });
  return { files: new Map(files) };
}

/** The page itself for everything that is no file: its views have addresses of their own. */
export async function serveWebFile(
  { files }: WebFiles,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isAsset = name.startsWith('assets/');
  const file = files.get(name) ?? (isAsset ? undefined : files.get('index.html'));
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    return;
  }
  const encoding = file.encodings.find((one) => accepts(request, NAMES[one]));
  const content = await readFile(encoding ? `${file.path}.${encoding}` : file.path);
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': content.length,
    vary: 'accept-encoding',
    // Names of assets hold a hash of what is in them.
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(encoding && { 'content-encoding': NAMES[encoding] }),
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}

function accepts({ headers }: IncomingMessage, encoding: string): boolean {
  const accepted = String(headers['accept-encoding'] ?? '');
  return accepted.split(',').some((one) => {
    const [name, ...options] = one.split(';').map((part) => part.trim());
    return name === encoding && !options.includes('q=0');
  });
}
