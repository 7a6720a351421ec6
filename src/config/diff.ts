import { canonicalJson, isJsonObject, type JsonValue } from '../core/index.js';
import type { LoadedConfig } from './load.js';

/** Said to have changed, never shown. */
const SECRET_SETTINGS = /^(http\.token|database|tools\.override\..*)$/s;
const GONE = Symbol('gone');

type Flat = ReadonlyMap<string, JsonValue>;

/** What is different, one readable line each. Values that may be secret are never in it. */
export function diffConfigs(before: LoadedConfig, after: LoadedConfig): readonly string[] {
  return [...diffServers(before, after), ...diffSettings(before, after)];
}

function diffServers(before: LoadedConfig, after: LoadedConfig): string[] {
  const [old, now] = [serversOf(before), serversOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return names.flatMap((name) => {
    const [from, to] = [old.get(name), now.get(name)];
    if (!to) return [`- server ${name}`];
    if (!from) return [`+ server ${name}${typeof to === 'string' ? ` (unusable: ${to})` : ''}`];
    if (typeof to === 'string') return from === to ? [] : [`! server ${name}: ${to}`];
    if (typeof from === 'string') return [`~ server ${name}: usable again`];
    const changes = changedKeys(from, to);
    return changes.length > 0 ? [`~ server ${name}: ${changes.join(', ')}`] : [];
  });
}

/** Entries by name; a broken one is its reason. */
function serversOf({
  file,
  broken,
}: LoadedConfig): ReadonlyMap<string, JsonValue & (object | string)> {
  const entries = plain(file.mcpServers);
  return new Map<string, JsonValue & (object | string)>([
    ...Object.entries(entries as Record<string, JsonValue & object>),
    ...broken,
  ]);
}

function changedKeys(from: JsonValue & object, to: JsonValue & object): string[] {
  const [old, now] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  return differing(old, now).map((key) => {
    if (key === 'enabled') return now.get(key) === false ? 'disabled' : 'enabled';
    const inner = [old.get(key), now.get(key)];
    if (key !== 'env' && key !== 'headers') return `${key} changed`;
    const [a, b] = inner.map((value) => new Map(Object.entries((value ?? {}) as object)));
    return `${key} changed (${differing(a ?? new Map(), b ?? new Map()).join(', ')})`;
  });
}

function diffSettings(before: LoadedConfig, after: LoadedConfig): string[] {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  return differing(old, now).map((path) => {
    if (SECRET_SETTINGS.test(path)) return `${path} changed`;
    return `${path}: ${show(old.get(path))} → ${show(now.get(path))}`;
  });
}

function settingsOf({ file, dataDir }: LoadedConfig): Flat {
  const { mcpServers: _servers, $schema: _schema, exposure, ...rest } = file;
  const { mode, ...more } = exposure;
  const details = Object.entries(more).map(([key, value]) => [`exposure.${key}`, value] as const);
  const settings = { ...rest, dataDir, exposure: mode, ...Object.fromEntries(details) };
  return new Map(flatten(plain(settings), ''));
}

function flatten(value: JsonValue, path: string): [string, JsonValue][] {
  if (!isJsonObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) =>
    flatten(item, path === '' ? key : `${path}.${key}`),
  );
}

function differing(old: Flat, now: Flat): string[] {
  const text = (value: JsonValue | undefined) =>
    value === undefined ? GONE : canonicalJson(value);
  const keys = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return keys.filter((key) => text(old.get(key)) !== text(now.get(key)));
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'default';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Drops `undefined`s, which JSON does not know. */
function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
