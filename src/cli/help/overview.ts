import { COMMANDS, GROUPS } from '../commands.js';
import { screenColumns } from '../print/columns.js';
import { wrapLine } from '../print/fit-text.js';

const PITCH = 'PML is one local MCP server in front of all of yours: few tokens, nothing lost.';
const INDENT = '  ';
/** Narrower than this, a summary stands below its command. */
const LEAST_SUMMARY = 30;

/** What `pml --help` prints: commands by group, then examples. */
export function describeOverview(columns: number): readonly string[] {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    'Usage: pml <command> [options]',
    '',
    ...wrapLine(PITCH, columns),
    ...GROUPS.flatMap((group) => [
      '',
      `${group}:`,
      ...COMMANDS.filter((one) => one.group === group).flatMap(({ name, summary }) =>
        describeRow(name, summary, { width, columns }),
      ),
    ]),
    '',
    'Examples:',
    ...['init', 'search "open an issue"', 'call filesystem:read_text_file --path notes.txt'].map(
      (line) => `${INDENT}pml ${line}`,
    ),
    '',
    ...wrapLine(
      'Every command has --help with its options and examples. --no-pager prints long output at once; NO_COLOR=1 prints without colours.',
      columns,
    ),
  ];
}

function describeRow(
  name: string,
  summary: string,
  { width, columns }: { readonly width: number; readonly columns: number },
): readonly string[] {
  const first = `${INDENT}${name.padEnd(width)}  `;
  if (columns - first.length < LEAST_SUMMARY) {
    return [INDENT + name, ...wrapLine(`${INDENT}${INDENT}${summary}`, columns)];
  }
  const [head = '', ...more] = wrapLine(summary, columns - first.length);
  return [first + head, ...more.map((line) => ' '.repeat(first.length) + line)];
}

export function printOverview(stream: NodeJS.WriteStream): void {
  stream.write(`${describeOverview(screenColumns(stream)).join('\n')}\n`);
}
