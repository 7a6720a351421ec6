/** The session of `pml demo` as text. */
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';
import type { DemoCost, DemoReport, DemoStepReport } from './run-demo.js';

const INDENT = '    ';

export function describeDemo(report: DemoReport): string {
  const { servers, tools, menu, steps, total } = report;
  const rows = [
    ['', 'with PML', 'without'],
    ['tool definitions', tokens(menu.pml), tokens(menu.direct)],
    ['calls and results', tokens(total.pml.tokens), tokens(total.direct.tokens)],
    ['round trips', count(total.pml.roundTrips), count(total.direct.roundTrips)],
  ];
  return [
    `${servers} sample servers with ${tools} tools, in a temporary folder. Nothing leaves this machine.`,
    ...steps.map((step, place) => describeStep(step, place + 1)),
    `${heading('What it cost')}\n${table(rows)}`,
    `"without" counts an agent that has all ${tools} tools in its context, makes the same calls and reads every result in full. It does not count what that agent needs to find tools and to add up numbers.`,
  ].join('\n\n');
}

function describeStep(
  { title, call, answer, cost, direct }: DemoStepReport,
  place: number,
): string {
  return [
    heading(`${place}. ${title}`),
    `  agent  ${call.tool}`,
    indent(describeArgs(call.args)),
    '  PML',
    indent(answer),
    `  ${describeCost(cost)}${direct.roundTrips > 0 ? `; without PML ${describeCost(direct)}` : ''}`,
  ].join('\n');
}

/** Code as it is written, everything else as JSON. */
function describeArgs(args: Readonly<Record<string, unknown>>): string {
  const { code, ...rest } = args;
  return typeof code === 'string' ? `${JSON.stringify(rest)}\n${code}` : JSON.stringify(args);
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${INDENT}${line}`)
    .join('\n');
}

const tokens = (value: number): string => `${count(value)} tokens`;

function describeCost({ tokens: spent, roundTrips }: DemoCost): string {
  return `${tokens(spent)}, ${count(roundTrips)} round trip${roundTrips === 1 ? '' : 's'}`;
}
