import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';

import { Catalog } from '../src/catalog/index.js';
import { silentLogger } from '../src/core/index.js';
import { View } from '../src/tools/view.js';
import { gatewaySettings } from './helpers/gateway-settings.js';

/** What an agent may pay for PML before its first question. */
const BUDGET_TOKENS = 450;

const TWENTY_SERVERS = [
  'github filesystem postgres slack notion linear sentry playwright brave-search google-drive',
  'google-maps memory sequential-thinking fetch git sqlite redis aws-kb-retrieval stripe cloudflare',
].flatMap((line) => line.split(' '));

/** What clients are shown in the default exposure. */
function show(servers: readonly string[]): Pick<View, 'toolList' | 'instructions'> {
  const now = () => new Date(0);
  const catalog = new Catalog({ onDefinitionChange: 'warn', log: silentLogger, now });
  return new View(catalog, gatewaySettings(servers));
}

/** Counts what clients hand to a model: the tools in its format, and the instructions. */
function tokensOf({ toolList, instructions }: ReturnType<typeof show>): number {
  const tools = toolList.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return countTokens(JSON.stringify(tools)) + countTokens(instructions);
}

test('tools and instructions stay within the budget with twenty servers [MENU-SMALL]', () => {
  const tokens = tokensOf(show(TWENTY_SERVERS));

  expect(TWENTY_SERVERS).toHaveLength(20);
  expect(tokens).toBeGreaterThan(200);
  expect(tokens).toBeLessThanOrEqual(BUDGET_TOKENS);
});

test('menu names some of many servers and only counts the rest [MENU-SMALL]', () => {
  const many = Array.from({ length: 120 }, (_, index) => `server-${index}`);
  const shown = show(many);

  expect(JSON.stringify(shown.toolList[0])).toMatch(/and 1\d\d more/);
  expect(tokensOf(shown)).toBeLessThanOrEqual(BUDGET_TOKENS);
});

test('menu has the same bytes for the same servers in any order [MENU-STABLE]', () => {
  const { toolList } = show(TWENTY_SERVERS);

  expect(JSON.stringify(show(TWENTY_SERVERS.toReversed()).toolList)).toBe(JSON.stringify(toolList));
});

test('every meta-tool asks clients to load it at once [MENU-LOADED]', () => {
  const marks = show(TWENTY_SERVERS).toolList.map((tool) => tool['_meta']);

  expect(marks).toEqual(marks.map(() => ({ 'anthropic/alwaysLoad': true })));
});
