import { type JsonObject, PmlError } from '../../core/index.js';
import type { Filling } from './fill-inputs.js';
import type { ServerJson, ServerPackage, ServerRemote } from './server-json.js';

/** Forms of a server, the most likely to work first. */
const PREFERRED = ['npm', 'pypi', 'remote', 'oci', 'nuget'] as const;
export type Form = (typeof PREFERRED)[number];
const FORMS: readonly string[] = PREFERRED;

/** Of a package registry that needs not be named. */
const USUAL: Readonly<Record<string, RegExp>> = {
  npm: /^https:\/\/registry\.npmjs\.org\/?$/,
  pypi: /^https:\/\/pypi\.org\/?$/,
};

const EXACT_VERSION = /^v?\d[\w.+-]*$/;

export interface MadeEntry {
  readonly form: Form;
  readonly entry: JsonObject;
  /** The exact version that is started; undefined if the newest is, or a remote server decides. */
  readonly pin?: string | undefined;
}

/** The entry of one form of a server: the wanted one, or the first that PML can start. */
export function makeEntry(
  server: ServerJson,
  filling: Filling,
  wanted: string | undefined,
): MadeEntry {
  const forms = wanted === undefined ? PREFERRED : PREFERRED.filter((one) => one === wanted);
  for (const form of forms) {
    if (form === 'remote') {
      const remote =
        server.remotes.find(({ type }) => type === 'streamable-http') ?? server.remotes[0];
      if (remote) return { form, entry: remoteEntry(remote, filling) };
      continue;
    }
    const found = server.packages.find((one) => one.registryType === form && isStdio(one));
    if (found) return packageEntry(found, form, filling);
  }
  const has = [
    ...server.packages.map((one) => one.registryType),
    ...(server.remotes.length > 0 ? ['remote'] : []),
  ];
  const offers = has.length > 0 ? [...new Set(has)].join(', ') : 'nothing to start';
  throw new PmlError(
    'BAD_REQUEST',
    `${server.name} offers ${offers}; PML can start ${wanted ?? FORMS.join(', ')}`,
  );
}

function isStdio({ transport }: ServerPackage): boolean {
  return transport === undefined || transport.type === 'stdio';
}

function remoteEntry({ type, url, headers, variables }: ServerRemote, filling: Filling) {
  const sent = filling.named(headers, 'header');
  return {
    ...(type === 'sse' && { type }),
    url: filling.text(url, variables),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
  };
}

function packageEntry(found: ServerPackage, form: Exclude<Form, 'remote'>, filling: Filling) {
  const env = filling.named(found.environmentVariables, 'env');
  const runtime = filling.arguments(found.runtimeArguments);
  const own = filling.arguments(found.packageArguments);
  const { command, args } = commandOf(found, form, { runtime, own, env });
  const isPinned = EXACT_VERSION.test(found.version ?? '') || /[:@][^/]+$/.test(found.identifier);
  return {
    form,
    entry: { command, args, ...(Object.keys(env).length > 0 && { env }) },
    pin: isPinned ? (found.version ?? found.identifier) : undefined,
  };
}

interface Arguments {
  readonly runtime: readonly string[];
  readonly own: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function commandOf(
  found: ServerPackage,
  form: Exclude<Form, 'remote'>,
  { runtime, own, env }: Arguments,
): { readonly command: string; readonly args: string[] } {
  const { identifier, version, runtimeHint } = found;
  const named = version === undefined ? identifier : `${identifier}@${version}`;
  const base = elsewhere(found, form);
  switch (form) {
    case 'npm':
      return {
        command: 'npx',
        args: ['-y', ...base, ...runtime.filter((one) => one !== '-y'), named, ...own],
      };
    case 'pypi':
      return { command: 'uvx', args: [...base, ...runtime, named, ...own] };
    case 'nuget':
      return {
        command: 'dnx',
        args: [named, '--yes', ...runtime, ...(own.length > 0 ? ['--', ...own] : [])],
      };
    case 'oci': {
      const hasTag = version === undefined || /[:@][^/]+$/.test(identifier);
      const image = hasTag ? identifier : `${identifier}:${version}`;
      const passed = Object.keys(env).flatMap((name) => ['-e', name]);
      // Any other hint would let a stranger choose the program.
      const command = runtimeHint === 'podman' ? 'podman' : 'docker';
      return { command, args: ['run', '-i', '--rm', ...passed, ...runtime, image, ...own] };
    }
  }
}

/** A registry other than the usual one is named; where that is not possible, PML says so. */
function elsewhere({ registryBaseUrl: url }: ServerPackage, form: Form): readonly string[] {
  if (url === undefined || USUAL[form]?.test(url)) return [];
  if (form === 'npm') return [`--registry=${url}`];
  return form === 'pypi' ? ['--default-index', url] : [];
}
