import pc from 'picocolors';

import { visible } from '../../core/visible-text.js';

/** What one check found out. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at: `node`, `config`, `server github`. */
  readonly what: string;
  readonly message: string;
  /** What the user can do about it. */
  readonly fix?: string;
}

export const ok = (what: string, message: string): Finding => ({ level: 'ok', what, message });

export const warn = (what: string, message: string, fix: string): Finding => ({
  level: 'warn',
  what,
  message,
  fix,
});

export const fail = (what: string, message: string, fix: string): Finding => ({
  level: 'fail',
  what,
  message,
  fix,
});

export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'fail');
}

const COLOURS = { ok: pc.green, warn: pc.yellow, fail: pc.red } as const;

/** One line a finding, and one below it that says what to do. */
export function describeFinding({ level, what, message, fix }: Finding, width: number): string {
  const first = `${COLOURS[level](level.padEnd(4))}  ${what.padEnd(width)}  `;
  const indent = ' '.repeat(width + 8);
  const lines = message.split('\n').map(visible);
  const advice = fix === undefined ? [] : [pc.dim(`→ ${visible(fix)}`)];
  return first + [...lines, ...advice].join(`\n${indent}`);
}

export function summarize(findings: readonly Finding[]): string {
  const many = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  const [failed, warned] = [many('fail'), many('warn')];
  if (failed === 0 && warned === 0) return 'Everything is in order.';
  const warnings = `${warned} ${warned === 1 ? 'warning' : 'warnings'}`;
  return failed === 0 ? `Works, with ${warnings}.` : `${failed} failed, ${warnings}.`;
}
