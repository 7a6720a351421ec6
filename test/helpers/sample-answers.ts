import type { JsonValue, SandboxCall } from '../../src/core/index.js';

const ORDERS = [
  { id: 1, customer: 'anna@example.com', due: '2026-01-01' },
  { id: 2, customer: 'ben@example.com', due: '2026-12-31' },
];

/** What the tools in samples of the documentation answer, by the shapes of the real ones. */
const ANSWERS: Readonly<Record<string, JsonValue>> = {
  'crm:list_orders': { rows: ORDERS },
  'mail:send_reminder': { sent: true },
  'filesystem:list_allowed_directories': { content: 'Allowed directories:\n/files' },
  'filesystem:list_directory': { content: '[FILE] expenses.csv' },
  'filesystem:read_text_file': { content: 'date,what,amount\n2026-10-02,train,48.50\n' },
  'memory:create_entities': { entities: [] },
  'memory:create_relations': { relations: [] },
  'memory:read_graph': { entities: [], relations: [] },
};

export function answerSample({ name }: SandboxCall): JsonValue {
  const answer = ANSWERS[name];
  if (answer === undefined) throw new Error(`test/helpers/sample-answers.ts does not know ${name}`);
  return answer;
}
