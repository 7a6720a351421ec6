import pc from 'picocolors';

import type { ExecutionExplanation, LeadingDecision } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { cutLine } from '../print/cut-line.js';
import { formatMs, localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

const MOST_TEXT = 80;
const MOST_ARGS = 80;
/** A script may call hundreds; `pml show` shows all of them. */
const MOST_CALLS = 50;
const MOST_EDGES = 30;

const MATCHES = { exact: 'taken exactly', partly: 'taken in part', none: 'not taken' };

/** What a past execution came from, did and taught; `isVerbose` adds the weights. */
export function describeExecution(one: ExecutionExplanation, isVerbose = false): readonly string[] {
  const { id, intent, at, ok, ms, calls, flows, edges, similar } = one;
  const state = ok ? pc.green('completed') : pc.red('failed');
  const took = ms === undefined ? '' : ` in ${formatMs(ms)}`;
  const asked = intent ? `"${shorten(intent)}"` : 'no intent was given';
  return [
    `${heading(visible(id))}  ${localTime(at)}  ${state}${took}: ${asked}`,
    '',
    heading('Came from'),
    ...(one.from.length > 0
      ? one.from.map((decision) => `  ${describeDecision(decision, isVerbose)}`)
      : ['  no recorded search or plan: the agent or the user named its tools']),
    '',
    heading('Called'),
    ...calls.slice(0, MOST_CALLS).map((call, place) => `  ${describeCall(call, place, flows)}`),
    ...more(calls.length - MOST_CALLS, `calls; \`pml show ${visible(id)}\` shows all`),
    '',
    heading('What it taught PML about tools that belong together'),
    ...describeEdges(edges, isVerbose),
    '',
    heading('Executions like it'),
    ...(similar.length > 0
      ? table(
          similar.map((other) => [
            `  ${visible(other.id)}`,
            localTime(other.at),
            `${Math.round(other.share * 100)} %`,
            other.ok ? '' : pc.red('failed'),
            `"${shorten(other.intent)}"`,
            other.tools.map(visible).join(', '),
          ]),
        ).split('\n')
      : [intent ? '  none is remembered' : '  unknown: the run has no intent']),
    '',
    heading('Likely next steps'),
    ...describeNext(one.next, isVerbose),
  ];
}

function describeNext(steps: ExecutionExplanation['next'], isVerbose: boolean): readonly string[] {
  if (steps.length === 0) return ['  nothing is likely'];
  return table(
    steps.map(({ tool, probability, args, missing }) => [
      `  ${visible(tool)}`,
      isVerbose ? probability.toFixed(2) : `${Math.round(probability * 100)} %`,
      visible(cutLine(JSON.stringify(args), MOST_ARGS)),
      missing.length > 0 ? `without ${missing.map(visible).join(', ')}` : '',
    ]),
  ).split('\n');
}

function describeDecision(decision: LeadingDecision, isVerbose: boolean): string {
  const { algorithm, at, intent, tool, place, tools, confidence, match } = decision;
  const asked = `"${shorten(intent)}" at ${localTime(at)}`;
  const sure = confidence === undefined ? '' : `, ${Math.round(confidence * 100)} % sure`;
  const where = place > 0 ? `at place ${place}` : 'not among the candidates';
  if (algorithm === 'suggest') {
    const members = tools.map(visible).join(', ');
    return `a plan for ${asked}${sure}, ${MATCHES[match ?? 'none']}: ${members}`;
  }
  if (algorithm !== 'next') return `the search ${asked}${sure}: ${visible(tool)} ${where}`;
  const weighed = decision.candidates.map((one) =>
    isVerbose ? `${visible(one.tool)} ${one.score.toFixed(2)}` : visible(one.tool),
  );
  return `the next step for ${asked}: ${visible(tool)} ${where} of ${weighed.join(', ')}`;
}

function describeCall(
  { tool, ok, ms, depth, args }: ExecutionExplanation['calls'][number],
  place: number,
  flows: ExecutionExplanation['flows'],
): string {
  const mark = ok ? pc.green('✓') : pc.red('✗');
  const took = ms === undefined ? '' : `  ${formatMs(ms)}`;
  const given = args ? `  ${visible(cutLine(JSON.stringify(args), MOST_ARGS))}` : '';
  const taken = flows
    .filter(({ to }) => to === place)
    .map(({ from, field, param }) => {
      const source = `${from + 1}${field ? `.${visible(field)}` : ''}`;
      return `${param ? `${visible(param)} ` : ''}← ${source}`;
    });
  const values = taken.length > 0 ? `  ${pc.cyan(taken.join(', '))}` : '';
  return `${'  '.repeat(depth)}${place + 1}. ${mark} ${visible(tool)}${took}${values}${pc.dim(given)}`;
}

function describeEdges(
  edges: ExecutionExplanation['edges'],
  isVerbose: boolean,
): readonly string[] {
  if (edges.length === 0) return ['  nothing: it takes calls of two different tools'];
  const rows = edges
    .slice(0, MOST_EDGES)
    .map((edge) => [
      `  ${visible(edge.from)} → ${visible(edge.to)}`,
      ...(isVerbose ? [edge.type, `weight ${edge.weight.toFixed(2)}`] : []),
      `worked ${count(edge.observed)}, failed ${count(edge.failed)}`,
      edge.worked ? '' : pc.red('failed here'),
      edge.isLeftOut ? 'left out: it would close a cycle' : '',
    ]);
  return [...table(rows).split('\n'), ...more(edges.length - MOST_EDGES, 'edges')];
}

function more(left: number, what: string): readonly string[] {
  return left > 0 ? [`  and ${count(left)} more ${what}`] : [];
}

function shorten(intent: string): string {
  return visible(cutLine(intent, MOST_TEXT));
}
