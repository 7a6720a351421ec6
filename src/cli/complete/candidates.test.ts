import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { ALL_COMMANDS } from '../all-commands.js';
import { createProgram } from '../program.js';
import { completeCommand } from './candidates.js';

let program: Command;

beforeAll(async () => {
  program = await createProgram(ALL_COMMANDS);
});

/** Completes the last word of the line. */
function complete(line: string) {
  const [name = '', ...words] = line.split(' ');
  return completeCommand(
    program.commands.find((one) => one.name() === name)!,
    words,
  );
}

// covers: CLI-COMPLETION
describe('completion', () => {
  test.each([
    ['logs ', 'servers'],
    ['tools --server ', 'servers'],
    ['tools refresh ', 'servers'],
    ['tools show ', 'tools'],
    ['call ', 'tools'],
    ['graph path a:x ', 'tools'],
    ['show ', 'runs'],
    ['watch --json ', 'runs'],
    ['capabilities run ', 'capabilities'],
    ['capabilities disable ', 'capabilities'],
  ])('completion of "%s" asks the daemon for %s', (line, kind) => {
    expect(complete(line).kind).toBe(kind);
  });

  test.each([
    ['capabilities ', 'rename'],
    ['tools ', 'show'],
    ['continue latest ', 'approve'],
    ['run plan.json --approve ', 'never'],
    ['completion ', 'fish'],
    ['runs --', '--open'],
    ['tools show --', '--json'],
    ['list ', 'capabilities'],
  ])('completion of "%s" offers %s', (line, word) => {
    expect(complete(line).words).toContain(word);
  });

  test('completion of a call offers the options of its tool', () => {
    expect(complete('call fs:read --')).toMatchObject({
      words: expect.arrayContaining(['--args', '--json']),
      toolOptions: 'fs:read',
    });
    expect(complete('call fs:read --path ')).toEqual({ words: [] });
  });

  test('completion of a file argument leaves files to the shell', () => {
    expect(complete('run ')).toEqual({ words: [] });
    expect(complete('status --config ')).toEqual({ words: [] });
  });
});
