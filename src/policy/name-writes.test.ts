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
  ['chmod_path', 'chmod'],
  ['run_ssh', 'run'],
  ['host_ssh', 'ssh'],
  ['mv', 'mv'],
  ['wire_money', 'wire'],
  ['account_withdraw', 'withdraw'],
  ['transition_issue', 'transition'],
  ['delete2', 'delete'],
  ['upload_logs', 'upload'],
  ['key_del', 'del'],
  ['change_status', 'change'],
  ['request_review', 'request'],
])('%s says %s', (name, word) => {
  expect(nameWrites(name, 'any')).toBe(word);
});

test.each([
  'get_deleted_items',
  'list_merge_requests',
  'get_update_history',
  'getWorkspaceUpdate',
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

test.each([
  ['list_delete_card', 'delete'],
  ['list_remove_item', 'remove'],
  ['view_delete_item', 'delete'],
  ['check_delete_all', 'delete'],
  ['search_delete_by_query', 'delete'],
  ['monitor_delete_by_id', 'delete'],
  ['query_drop_table', 'drop'],
  ['query_insert_row', 'insert'],
  ['query_run_sql', 'run'],
  ['test_send_email', 'send'],
  ['test_execute_command', 'execute'],
  ['fetch_delete_email', 'delete'],
  ['find_replace', 'replace'],
  ['status_update', 'update'],
  ['list_update', 'update'],
  ['status_set', 'set'],
  ['status_change', 'change'],
  ['view_refresh', 'refresh'],
  ['list_update_card', 'update'],
  ['read_write_file', 'write'],
  ['scan_start', 'start'],
  ['diff_apply', 'apply'],
  ['get_createissue', 'createissue'],
])('%s reads first and still says %s', (name, word) => {
  expect(nameWrites(name, 'any')).toBe(word);
});

test.each([
  'get_commit',
  'get_order',
  'get_release_notes',
  'get_trash',
  'get_start_time',
  'read_graph',
  'list_runs',
  'list_pull_requests',
  'list_commit_comments',
  'list_workflow_run_artifacts',
  'build_get_log',
  'get_refresh_token',
  'list_deleted_items',
  'list_triggers',
  'view_posts',
  'view_update_history',
  'check_deploy_status',
  'search_archived_notes',
  'status_get_commit',
])('%s reads what only sounds like a change', (name) => {
  expect(nameWrites(name, 'any')).toBeUndefined();
});

test.each([
  'createissue',
  'updateissue',
  'postmessage',
  'killprocess',
  'deletecard',
  'adduser',
  'issuecreate',
  'filedelete',
])('%s is a verb and its object in one word', (name) => {
  expect(nameWrites(name, 'any')).toBe(name);
});

test.each([
  'updates',
  'updated',
  'updater',
  'creates',
  'settings',
  'postcode',
  'postgres',
  'killer',
  'address',
  'addresses',
  'dataset',
  'runtime',
  'running',
  'dropdown',
  'executions',
  'executed',
  'updatedat',
  'deleteditems',
  'postscript',
  'sendgrid',
  'killed',
  'executable',
  'installations',
  'installer',
  'insertions',
  'publishers',
  'sender',
  'replacement',
  'submitter',
  'appendix',
  'lastupdate',
  'payload',
  'makefile',
])('%s only begins or ends like a verb', (name) => {
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
  expect(nameWrites('acme_item_count', 'acme')).toBeUndefined();
});

test.each([
  ['execute', 'execute_sql', 'execute'],
  ['run-command', 'run_command', 'run'],
  ['write', 'write_file', 'write'],
  ['create', 'create_issue', 'create'],
  ['update', 'update_row', 'update'],
  ['log', 'log_message', 'log'],
  ['writefile', 'writefile_now', 'writefile'],
])('a server named %s does not hide the verb of %s', (server, tool, word) => {
  expect(nameWrites(tool, server)).toBe(word);
});

test('a server whose name can be a verb keeps its tools that read', () => {
  expect(nameWrites('store_list_items', 'store')).toBeUndefined();
  expect(nameWrites('email_search', 'email')).toBeUndefined();
});
