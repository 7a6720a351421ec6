/**
 * Which files of projects the user approved. Read by every relay that starts in a folder with a
 * `pml.json`, so it loads nothing that is needed to check a configuration.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { isAbsent } from '../core/errors.js';
import { sha256 } from '../core/sha256.js';
import { type Environment, pmlHome } from './find.js';

export interface Approval {
  /** Hash of the text that was approved: the same text needs no second look. */
  readonly text: string;
  /** Hash of all that the file can do: comments may change. */
  readonly effect: string;
}

export function approvalsPath(env: Environment): string {
  return join(pmlHome(env), 'trusted.json');
}

/** By the path of the file. A damaged list approves nothing: asking once more is the safe answer. */
export function readApprovals(env: Environment): ReadonlyMap<string, Approval> {
  try {
    const value: unknown = JSON.parse(readFileSync(approvalsPath(env), 'utf8'));
    const entries = Object.entries(value as Record<string, unknown>);
    return new Map(entries.filter((entry): entry is [string, Approval] => isApproval(entry[1])));
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError || error instanceof TypeError) {
      return new Map();
    }
    throw error;
  }
}

/** Hash of a file's text, as `LoadedConfig.hash` has it. */
export function hashText(text: string): string {
  return sha256(text.replace(/^\uFEFF/, ''));
}

/** A file in the home of PML is the user's own, wherever it was found. */
export function isOwnFile(path: string, env: Environment): boolean {
  const way = relative(pmlHome(env), path);
  return way !== '' && !way.startsWith('..') && way !== path;
}

function isApproval(value: unknown): value is Approval {
  if (typeof value !== 'object' || value === null) return false;
  const { text, effect } = value as Partial<Approval>;
  return typeof text === 'string' && typeof effect === 'string';
}
