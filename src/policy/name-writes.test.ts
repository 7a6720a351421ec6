import { expect, test } from 'vitest';

import { DANGEROUS, DANGEROUS_AT_END, DANGEROUS_AT_START } from './danger-words.js';
import { nameDanger } from './name-danger.js';
import { nameWrites } from './name-writes.js';

test.each([
  ['write_file', 'write'],
  ['issue_delete', 'delete'],
  ['execute_sql', 'execute'],
  ['run_command', 'run'],
  ['browser_run_code_unsafe', 'run'],
  ['batch-update-objects', 'update'],
  ['updateMonitor', 'update'],
  ['update_status', 'update'],
  ['update_note', 'update'],
  ['get_or_create_user', 'create'],
  ['search_and_replace', 'replace'],
  ['list_delete', 'delete'],
  ['view_create', 'create'],
  ['query_execute', 'execute'],
  ['pull_request_review_write', 'write'],
  ['commit', 'commit'],
  ['bash', 'bash'],
  ['writefile', 'writefile'],
  ['runcommand', 'runcommand'],
  ['download_bytes_to_file', 'to file'],
  ['log_message', 'log'],
  ['payment_refund', 'refund'],
  ['make_purchase', 'make'],
  ['format_disk', 'format'],
  ['roll_back', 'roll'],
])('%s says %s', (name, word) => {
  expect(nameWrites(name, 'any')).toBe(word);
});

test.each([
  'get_deleted_items',
  'list_merge_requests',
  'get_update_history',
  'getWorkspaceUpdate',
  'read_write_locks',
  'workflow_run_logs',
  'build_log',
  'release_notes',
  'deploy_status',
  'pull_request_read',
  'latest_release_notes',
  'customer_order_lines',
  'recently_updated_issues',
  'newest_purchase',
  'mail_search',
  'order_status',
  'last_update',
  'git_log',
  'get_terminal_output',
  'sql_query',
  'health_check',
  'directory_tree',
  'web_search',
  'whoami',
  'generate_bar_chart',
  'resolve-library-id',
])('%s says nothing of a change', (name) => {
  expect(nameWrites(name, 'any')).toBeUndefined();
});

test('every word that is dangerous says a change as well', () => {
  const names = [...DANGEROUS, ...DANGEROUS_AT_START, ...DANGEROUS_AT_END].map(
    (word) => `x_${word}`,
  );
  const starts = [...DANGEROUS, ...DANGEROUS_AT_START].map((word) => `${word}_x`);

  const unseen = [...names, ...starts].filter(
    (name) => nameDanger(name, 'any') !== undefined && nameWrites(name, 'any') === undefined,
  );

  expect(unseen).toEqual([]);
});

test('what a server puts before all of its tools is not part of a name', () => {
  expect(nameWrites('git_log', 'git')).toBeUndefined();
  expect(nameWrites('git_commit', 'git')).toBe('commit');
  expect(nameWrites('store_item_count', 'store')).toBeUndefined();
  expect(nameWrites('store_item_count', 'any')).toBe('store');
});
