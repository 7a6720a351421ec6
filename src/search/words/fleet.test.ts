/** Sanity over the real tools of some sixty public servers, where their list is at hand. */
import { describe, expect, test } from 'vitest';

import { hasFleet, readFleet } from '../../../test/helpers/fleet.js';
import { estimateTokens } from '../../core/index.js';
import { answerTokens, discover } from '../../discovery/answer/discover.js';
import { createContextBudget } from '../../tool-text/context-budget.js';
import { signature } from '../../tool-text/signature.js';
import { createToolIndex } from './tool-index.js';

describe.skipIf(!hasFleet)('with the fleet (skipped where its tool list is missing)', () => {
  const tools = readFleet();
  const index = createToolIndex();
  for (const tool of tools) index.upsert(tool);

  test('signatures are short', () => {
    const tokens = tools.map(({ definition }) => estimateTokens(signature(definition)));
    const average = tokens.reduce((sum, count) => sum + count, 0) / tokens.length;

    expect(tools.length).toBeGreaterThan(1_000);
    expect(average).toBeLessThanOrEqual(60);
  });

  const INTENTS = [
    ['read a file from disk', 'filesystem:read_file'],
    ['create a git commit', 'git:git_commit'],
    ['query a sqlite database', 'sqlite:query'],
    ['list files in a directory', 'filesystem:list_directory'],
    ['send a message to a slack channel', 'slack:slack_post_message'],
    ['open a pull request on github', 'github:create_pull_request'],
    ['get logs of a kubernetes pod', 'kubernetes:kubectl_logs'],
    ['draw a bar chart', 'antv-chart:generate_bar_chart'],
    ['run a shell command', 'commands:run_command'],
    ['write cells to an excel spreadsheet', 'excel:excel_write_to_sheet'],
    ['send an email', 'ms-365:send-mail'],
    ['get the transcript of a youtube video', 'fetch:fetch_youtube_transcript'],
    ['create an issue in linear', 'linear:linear_createIssue'],
    ['find flaky tests', 'circleci:find_flaky_tests'],
    ['install an app on the phone', 'mobile:mobile_install_app'],
    ['push a branch to remote', 'git:git_push'],
    ['crate git comit', 'git:git_commit'],
  ] as const;

  // covers: FIND-INTENT
  test.each(INTENTS)('"%s" has %s among its first three', (intent, id) => {
    const { hits } = index.search(intent, { limit: 3 });

    expect(hits.map(({ tool }) => tool.id)).toContain(id);
  });

  test('the typical answer stays within 350 tokens', () => {
    const budget = createContextBudget({ windowTokens: 200_000, share: 0.05 });

    const tokens = INTENTS.map(([intent]) => answerTokens(discover({ intent }, { index, budget })));

    expect(tokens.toSorted((one, other) => one - other)[tokens.length >> 1]).toBeLessThanOrEqual(
      350,
    );
  });
});
