import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Command } from 'commander';

import type { ImportedCapabilities } from '../../control/index.js';
import { messageOf, PmlError, unreachable } from '../../core/errors.js';
import type { JsonValue } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { count, jsonText, print, printJson } from '../print/print.js';
import { readLines } from '../print/read-rows.js';

interface ExportFlags extends DaemonFlags {
  readonly out?: string;
  readonly skill?: string;
}

type Outcome = ImportedCapabilities['outcomes'][number];

export function exportCommand(): Command {
  return daemonCommand(
    'export',
    'Write one with all it calls, or all, as a file for another machine',
  )
    .argument('[name]', 'only this one')
    .option('--out <file>', 'where to; else stdout')
    .option('--skill <folder>', 'as Agent Skills instead: <folder>/<skill>/SKILL.md')
    .action(async (name: string | undefined, flags: ExportFlags) => {
      const params = name === undefined ? {} : { name };
      if (flags.skill !== undefined) return exportSkills(flags.skill, params, flags);
      const { answer } = await askStarted(flags, 'capabilities-export', params);
      const { out, json } = flags;
      if (out === undefined) return printJson(answer);
      await write(out, `${jsonText(answer)}\n`);
      const many = answer.capabilities.length;
      if (json) return printJson({ file: out, capabilities: many });
      print(`${count(many)} ${many === 1 ? 'capability' : 'capabilities'} in ${visible(out)}.`);
    });
}

/** Exports the offered capabilities, or one; overwrites existing skills. */
async function exportSkills(
  folder: string,
  params: { readonly name?: string },
  flags: ExportFlags,
): Promise<void> {
  const { answer } = await askStarted(flags, 'capabilities-skills', params);
  const files = answer.skills.map(({ name, text }) => ({
    file: join(folder, name, 'SKILL.md'),
    text,
  }));
  for (const { file, text } of files) await write(file, text);
  if (flags.json) return printJson({ files: files.map(({ file }) => file) });
  if (files.length === 0) print('No capability is offered.');
  for (const { file } of files) print(visible(file));
}

export function importCommand(): Command {
  return daemonCommand('import', 'Take in what export wrote; what is there already stays')
    .argument('<file>', 'what export wrote; - reads stdin')
    .action(async (file: string, flags: DaemonFlags) => {
      const params = { file: await readJson(file) };
      const { answer: imported } = await askStarted(flags, 'capabilities-import', params);
      process.exitCode = imported.outcomes.some(({ kind }) => kind === 'refused') ? 1 : 0;
      if (flags.json) return printJson(imported);
      await page(describeImported(imported));
    });
}

export function describeImported({ outcomes, isStored }: ImportedCapabilities): readonly string[] {
  return [
    ...(outcomes.length === 0 ? ['The file holds no capability.'] : []),
    ...outcomes.map((one) => visible(`${one.from}: ${describeOutcome(one)}`)),
    ...(isStored ? [] : ['The store is not available: this is known until the daemon ends.']),
  ];
}

function describeOutcome(one: Outcome): string {
  switch (one.kind) {
    case 'imported':
      return one.name === one.from ? 'imported' : `imported as ${one.name}`;
    case 'known':
      return `known already${one.name === one.from ? '' : ` as ${one.name}`}`;
    case 'refused':
      return `refused: ${one.reason}`;
    default:
      return unreachable(one);
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new PmlError('BAD_REQUEST', `${file}: ${messageOf(error)}`, { cause: error });
  }
}

async function readJson(file: string): Promise<JsonValue> {
  const text = await readLines(file);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const name = file === '-' ? 'stdin' : file;
    throw new PmlError('BAD_REQUEST', `${name}: not JSON: ${messageOf(error)}`, { cause: error });
  }
}
