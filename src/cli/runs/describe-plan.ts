import pc from 'picocolors';

import type { PlanAnswer } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { heading } from '../print/print.js';

/** What would happen: tasks by layer, what goes where and why, what is missing, what is asked. */
export function describePlan(plan: PlanAnswer): readonly string[] {
  const { ambiguous = [], broken = [], filled, bindings, holes, approvals } = plan;
  return [
    ...plan.layers.flatMap((layer, place) => describeLayer(plan, layer, place)),
    ...section('filled in by PML', filled?.map(visible) ?? bindings.map(describeBinding)),
    ...section(
      'more than one source fits',
      ambiguous.map(({ param, sources }) => {
        const named = sources.map(({ from, score }) => `${visible(from)} (${score.toFixed(2)})`);
        return `${visible(param)} could come from ${named.join(', ')}; PML takes the first`;
      }),
    ),
    ...section(
      'left out because it would close a cycle',
      broken.map(({ edge, cycle }) => `${visible(edge)} (${visible(cycle)})`),
    ),
    ...section(
      'needs an approval',
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
      ? 'Dry run: no tool was called. Give the missing values before you run the plan.'
      : 'Dry run: no tool was called.',
  ];
}

/** For plans of daemons that do not say what they filled in. */
function describeBinding({ from, to, score, reasons }: PlanAnswer['bindings'][number]): string {
  return `${visible(to)} ← ${visible(from)} (${score.toFixed(2)}): ${reasons.map(visible).join(', ')}`;
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
