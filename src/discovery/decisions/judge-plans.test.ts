import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import type { RunId } from '../../core/index.js';
import { PlanJudge, planSteps } from './judge-plans.js';
import { type Execution, NO_TRAIL, type Shown } from './trail.js';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE);

function plan(intent: string, minutes: number, ...tools: string[]): Shown {
  return {
    id: `p-${intent}`,
    algorithm: 'suggest',
    model: 'm',
    intent,
    at: at(minutes),
    tools: tools.map(id),
    others: [id('web:get')],
  };
}

function ran(minutes: number, tools: readonly string[], more: Partial<Execution> = {}): Execution {
  const calls = tools.map((tool) => ({ tool: id(tool.replace('!', '')), ok: !tool.endsWith('!') }));
  return { calls, bindings: [], at: at(minutes), run: 'run_a' as RunId, ...more };
}

const trailOf = (...shown: readonly Shown[]) => ({ ...NO_TRAIL, shown });

const trail = trailOf(plan('mail the report', 0, 'fs:read', 'mail:send'));

describe('a suggested plan', () => {
  test('a suggested plan is exact when exactly its tools were called, in any order', () => {
    expect(new PlanJudge().judge(trail, ran(1, ['mail:send', 'fs:read', 'code:map']))).toEqual([
      {
        decision: 'p-mail the report',
        model: 'm',
        outcome: { tool: 'fs:read', place: 1, ok: true, match: 'exact', run: 'run_a' },
      },
    ]);
  });

  test.each([
    [['mail:send'], 'partly', 2],
    [['fs:read', 'mail:send', 'web:get'], 'partly', 1],
    [['web:get'], 'none', 3],
    [['git:log'], 'none', 0],
  ] as const)('a suggested plan followed by %j is %s, best at place %i', (tools, match, place) => {
    const [judged] = new PlanJudge().judge(trail, ran(1, tools));

    expect(judged?.outcome).toMatchObject({ match, place });
  });

  test('a suggested plan records a failed run and a successful second attempt', () => {
    const judge = new PlanJudge();

    const [first] = judge.judge(trail, ran(1, ['fs:read', 'mail:send!']));
    const [second] = judge.judge(trail, ran(2, ['fs:read', 'mail:send']));

    expect(first?.outcome).toMatchObject({ match: 'exact', ok: false });
    expect(second?.outcome).toMatchObject({ match: 'exact', ok: true });
    expect(judge.judge(trail, ran(3, ['fs:read', 'git:log']))).toEqual([]);
  });

  test('a suggested plan executed in parts becomes exact, and unrelated calls do not count against it', () => {
    const judge = new PlanJudge();
    const alone = { run: undefined } as unknown as Partial<Execution>;

    const matches = [['fs:read'], ['git:log'], ['mail:send']].map(
      (tools, minute) => judge.judge(trail, ran(minute, tools, alone))[0]?.outcome.match,
    );

    expect(matches).toEqual(['partly', undefined, 'exact']);
  });

  test('a suggested plan is not judged by unrelated, exploratory or late calls', () => {
    const judge = new PlanJudge();
    const { run: _, ...lone } = ran(1, ['git:log']);

    expect(judge.judge(trail, ran(1, ['git:log'], { intent: 'show commits of today' }))).toEqual(
      [],
    );
    expect(judge.judge(trail, lone)).toEqual([]);
    expect(judge.judge(trail, ran(16, ['fs:read']))).toEqual([]);
    expect(judge.judge(trail, ran(1, ['code:map']))).toEqual([]);
    expect(judge.judge(trail, ran(1, ['git:log'], { intent: 'Mail report to Ann' }))).toMatchObject(
      [{ outcome: { match: 'none' } }],
    );
  });

  test('a call judges the newest suggested plan that shares a tool with it', () => {
    const several = trailOf(
      ...trail.shown,
      plan('read a file', 1, 'fs:read'),
      plan('push', 2, 'git:push'),
    );

    const judged = new PlanJudge().judge(several, ran(3, ['fs:read']));

    expect(judged).toMatchObject([{ decision: 'p-read a file', outcome: { match: 'exact' } }]);
  });
});

describe('a foreseen step', () => {
  const next: Shown = {
    ...plan('mail the report', 1, 'mail:send', 'fs:read'),
    algorithm: 'next',
    after: { run: 'run_a' as RunId, done: [id('fs:read')] },
  };

  test('a predicted step is judged once, by the first new call of its run', () => {
    const judge = new PlanJudge();

    const judged = judge.judge(trailOf(next), ran(2, ['fs:read', 'fs:read!', 'mail:send']));

    expect(judged).toEqual([
      {
        decision: next.id,
        model: 'm',
        outcome: { tool: 'fs:read', place: 2, ok: false, run: 'run_a' },
      },
    ]);
    expect(judge.judge(trailOf(next), ran(3, ['fs:read', 'mail:send']))).toEqual([]);
  });

  test('a predicted step is not judged by another run, or by a run without a new call', () => {
    const judge = new PlanJudge();

    expect(judge.judge(trailOf(next), ran(3, ['mail:send'], { run: 'run_b' as RunId }))).toEqual(
      [],
    );
    expect(judge.judge(trailOf(next), ran(3, ['fs:read']))).toEqual([]);
  });
});

test('calls inside a capability and operations of a script are not plan steps', () => {
  const calls = [
    { tool: id('cap:backup'), ok: true },
    { tool: id('fs:read'), ok: true, parent: 0 },
    { tool: id('code:map'), ok: true },
    { tool: id('pml:read_result'), ok: true },
  ];

  expect(planSteps(calls).map(({ tool }) => tool)).toEqual(['cap:backup']);
});
