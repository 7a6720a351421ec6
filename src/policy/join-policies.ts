import type { ToolId } from '../core/index.js';
import type { ToolPolicy } from './tool-policy.js';

const RISKS: readonly ToolPolicy['risk'][] = ['read', 'write', 'risky'];

/**
 * The policy of code that can call these tools: as risky as the riskiest of them, repeatable if all
 * are, denied if one is, asked about if one is, and by a person if one of them wants that. Code that
 * calls nothing only reads.
 */
export function joinPolicies(
  tools: readonly ToolId[],
  policyOf: (tool: ToolId) => ToolPolicy,
): ToolPolicy {
  const all = tools.map((tool) => ({ tool, ...policyOf(tool) }));
  const strength = Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)));
  const asked =
    all.find(({ ask }) => ask?.by === 'person') ??
    all.find(({ ask }) => ask?.always) ??
    all.find(({ ask }) => ask !== undefined);
  const refused = all.find(({ denied }) => denied !== undefined);
  return {
    risk: RISKS[strength] ?? 'risky',
    repeatable: all.every(({ repeatable }) => repeatable),
    ...(asked?.ask && {
      ask: { ...asked.ask, why: `it can call ${asked.tool}: ${asked.ask.why}` },
    }),
    ...(refused && { denied: `it can call ${refused.tool}: ${refused.denied}` }),
  };
}
