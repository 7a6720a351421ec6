import pc from 'picocolors';

import type { PlanAnswer } from '../../control/index.js';
import { visible } from '../../core/index.js';
import { heading } from '../print/print.js';

/** What would happen: tasks by layer, what goes where and why, what is missing, what is asked. */
export function describePlan(plan: PlanAnswer): readonly string[] {
  const { ambiguous = [], broken = [], bindings, holes, approvals } = plan;
  return [
    ...plan.layers.flatMap((layer, place) => describeLayer(plan, layer, place)),
    ...section(
      'inferred',
      bindings.map(
        ({ from, to, score, reasons }) =>
          `${visible(from)} → ${visible(to)} (${score.toFixed(2)}: ${reasons.map(visible).join(', ')})`,
      ),
    ),
    ...section(
      'unclear',
      ambiguous.map(({ param, sources }) => {
        const named = sources.map(({ from, score }) => `${visible(from)} (${score.toFixed(2)})`);
        return `${visible(param)} could come from ${named.join(', ')}; the first is taken`;
      }),
    ),
    ...section(
      'left out, as it would close a cycle',
      broken.map(({ edge, cycle }) => `${visible(edge)} (${visible(cycle)})`),
    ),
    ...section(
      'asks first',
      approvals.map(({ task, tool, because }) => {
        return pc.yellow(`${visible(task)} ${visible(tool)}: ${visible(because)}`);
      }),
    ),
    ...section(
      'missing',
      holes.map(({ task, param, type, hint }) => {
        const about = [type, ...(hint === undefined ? [] : [hint])].map(visible).join('; ');
        return pc.red(`${visible(task)}.${visible(param)} (${about})`);
      }),
    ),
    '',
    holes.length > 0
      ? 'Dry run: it cannot run before what is missing is given.'
      : 'Dry run: nothing was called.',
  ];
}

function describeLayer(
  { tasks }: PlanAnswer,
  layer: readonly string[],
  place: number,
): readonly string[] {
  return [
    heading(`layer ${place + 1}`),
    ...layer.flatMap((id) => {
      const task = tasks.find((one) => one.id === id);
      if (!task) return [];
      const { tool, args, needs } = task;
      const after = needs.length > 0 ? pc.dim(` ← ${needs.map(visible).join(', ')}`) : '';
      return [
        `  ${visible(id)} ${visible(tool)}${after}`,
        pc.dim(`    ${visible(JSON.stringify(args))}`),
      ];
    }),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading(title), ...lines.map((line) => `  ${line}`)];
}
