import { describe, expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { type EvidenceParts, evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import type { CatalogTool } from '../../core/index.js';
import type { Evidence } from '../evidence.js';
import { DEFAULT_MODELS } from '../learn/models.js';
import { chooseMembers } from './choose-members.js';
import { memberSignals } from './member-signals.js';
import { rivalsAmong } from './rivals.js';

/** As real file servers describe their tools. */
const FILES: Readonly<Record<string, string>> = {
  'fs:read_file': 'Read the complete contents of a file as text.',
  'fs:read_text_file':
    'Read the complete contents of a file from the file system as text. Handles various text encodings.',
  'fs:read_media_file':
    'Return an image, audio clip or any other binary as a base64-encoded block with its MIME type.',
  'fs:read_multiple_files': 'Read the contents of multiple files simultaneously.',
  'fs:write_file': 'Create a new file or completely overwrite an existing file with new content.',
  'fs:list_directory': 'Get a detailed listing of all files and directories in a path.',
  'fs:list_directory_with_sizes':
    'Results clearly distinguish between both, with how big they are.',
};

const FILE_TOOLS = new Map(
  Object.entries(FILES).map(([tool, description]) => [id(tool), catalogTool(tool, description)]),
);

function inFiles(parts: EvidenceParts & { readonly places?: Readonly<Record<string, number>> }) {
  const { places = {} } = parts;
  const evidence = evidenceWith(parts);
  return {
    ...evidence,
    likely: evidence.likely.map((one) => {
      const place = places[one.tool];
      return place === undefined ? one : { ...one, place };
    }),
    toolOf: (tool): CatalogTool | undefined => FILE_TOOLS.get(tool),
  } satisfies Evidence;
}

function chosen(evidence: Evidence): readonly string[] {
  const { members } = chooseMembers(memberSignals(evidence), DEFAULT_MODELS.members);
  return members.map(({ tool }) => String(tool));
}

const READING = {
  'fs:read_file': 0.85,
  'fs:read_text_file': 0.8,
  'fs:read_multiple_files': 0.7,
  'fs:write_file': 0.1,
};

describe('variants of one tool', () => {
  test('only one variant of a tool is chosen for one need', () => {
    expect(chosen(inFiles({ intent: 'read the notes', likely: READING }))).toEqual([
      'fs:read_file',
    ]);
  });

  test('variants of a tool are recognised by name if their descriptions have little in common', () => {
    const likely = { 'fs:read_file': 0.4, 'fs:read_media_file': 0.35 };

    expect(chosen(inFiles({ intent: 'read the notes', likely }))).toEqual(['fs:read_file']);
    expect(chosen(inFiles({ intent: 'read the notes and the media', likely }))).toHaveLength(2);
    const listing = { 'fs:list_directory': 0.9, 'fs:list_directory_with_sizes': 0.85 };
    expect(chosen(inFiles({ intent: 'list the directory', likely: listing }))).toEqual([
      'fs:list_directory',
    ]);
  });

  test('several variants of a tool are chosen if the intent asks for them', () => {
    const likely = { 'fs:read_file': 0.85, 'fs:read_text_file': 0.8 };

    expect(chosen(inFiles({ intent: 'read the notes and the text', likely }))).toEqual([
      'fs:read_file',
      'fs:read_text_file',
    ]);
    expect(chosen(inFiles({ intent: 'read the notes', likely }))).toEqual(['fs:read_file']);
  });

  test('several variants of a tool are chosen for different needs', () => {
    const places = { 'fs:read_file': 0.1, 'fs:read_text_file': 0.8 };
    const likely = { 'fs:read_file': 0.85, 'fs:read_text_file': 0.8 };

    expect(chosen(inFiles({ intent: 'read it, then that', likely, places }))).toHaveLength(2);
  });

  test('several variants of a tool are chosen once they were called together', () => {
    const traces = [served('r1', 'read all', ['fs:read_file', 'fs:read_text_file'])];
    const likely = { 'fs:read_file': 0.85, 'fs:read_text_file': 0.8 };

    expect(chosen(inFiles({ intent: 'read the notes', likely, traces }))).toHaveLength(2);
  });

  test('variant that similar runs called is preferred to likelier ones', () => {
    const traces = [served('r1', 'read the memo', ['fs:read_text_file'])];
    const parts = { intent: 'read the notes', likely: READING, traces, similar: { r1: 1 } };

    expect(chosen(inFiles(parts))).toContain('fs:read_text_file');
  });
});

test('tool that does something else to the same object is not a variant', () => {
  const likely = { 'fs:read_file': 0.85, 'fs:write_file': 0.8 };

  expect(chosen(inFiles({ intent: 'copy the notes', likely }))).toHaveLength(2);
});

describe('of tools that would do the same', () => {
  const past = [
    served('r1', 'book a seat at Regal', ['a:buy_regal_ticket']),
    served('r2', 'book a seat at Odeon', ['a:buy_odeon_ticket']),
  ];
  const likely = { 'a:buy_regal_ticket': 0.6, 'a:buy_odeon_ticket': 0.6, 'a:other': 0.5 };
  const rivalryOf = (intent: string, traces = past) => {
    const evidence = evidenceWith({ intent, traces, likely });
    const tools = evidence.likely.map(({ tool }) => tool);
    const of = rivalsAmong(tools, evidence, { likely: evidence.likely, inSimilar: new Map() });
    return (tool: string) => of(id(tool));
  };

  test('rival tools compete with each other and with no other tool', () => {
    const of = rivalryOf('a seat');

    expect(of('a:buy_regal_ticket').rivals).toBeGreaterThan(0.3);
    expect(of('a:other').rivals).toBe(0);
  });

  test('rival tool that the intent names is preferred', () => {
    const of = rivalryOf('a seat at Odeon');

    expect(of('a:buy_odeon_ticket')).toMatchObject({ named: expect.any(Number), outnamed: 0 });
    expect(of('a:buy_odeon_ticket').named).toBeGreaterThan(0.3);
    expect(of('a:buy_regal_ticket').named).toBe(0);
    expect(of('a:buy_regal_ticket').outnamed).toBeGreaterThan(0.2);
  });

  test('no rival tool is preferred if the intent names all or none', () => {
    for (const intent of ['a seat', 'a seat at Odeon or Regal']) {
      expect(rivalryOf(intent)('a:buy_regal_ticket')).toMatchObject({ named: 0, outnamed: 0 });
    }
  });

  test('tools that are called together are not rivals', () => {
    const together = [served('r3', 'both', ['a:buy_regal_ticket', 'a:buy_odeon_ticket'])];

    const of = rivalryOf('a seat at Odeon', together);

    expect(of('a:buy_odeon_ticket')).toMatchObject({ rivals: 0, named: 0 });
  });

  test('tools without past calls have no rivals', () => {
    expect(rivalryOf('a seat at Odeon', [])('a:buy_odeon_ticket')).toMatchObject({
      rivals: 0,
      named: 0,
      outnamed: 0,
    });
  });
});
