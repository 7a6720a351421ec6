import { expect, test } from 'vitest';

import { nameDanger } from './name-danger.js';

test.each([
  ['delete_file', 'delete'],
  ['deleteFile', 'delete'],
  ['delete-file', 'delete'],
  ['delete_log', 'delete'],
  ['notes_bulk_delete', 'delete'],
  ['firestore_delete_document', 'delete'],
  ['find_and_delete', 'delete'],
  ['createAndSendEnvelope', 'send'],
  ['removeUserFromTeam', 'remove'],
  ['drop_table', 'drop table'],
  ['drop_user_table', 'drop user'],
  ['format_disk', 'format disk'],
  ['send_email', 'send'],
  ['email_customer', 'email'],
  ['pay_invoice', 'pay'],
  ['trigger_deploy', 'deploy'],
  ['vercel_deploy', 'deploy'],
  ['force_push', 'push'],
  ['git_clean', 'clean'],
  ['branch_merge', 'merge'],
  ['merge_merge_request', 'merge'],
  ['slack_post_message', 'post message'],
  ['release_device', 'release'],
  ['move_to_trash', 'move trash'],
  ['clear_all_tasks', 'clear all'],
  ['shut_down', 'shut down'],
])('%s says %s', (name, verb) => {
  expect(nameDanger(name, 'any')).toBe(verb);
});

test.each([
  'get_deleted_items',
  'list_releases',
  'get_release_by_id',
  'release_notes',
  'release_list',
  'drop_shadow',
  'drag_and_drop',
  'search_posts',
  'format_date',
  'create_merge_request',
  'approve_merge_request',
  'list_merge_requests',
  'create-reply-draft',
  'get_push_subscriptions',
  'update-mailbox-settings',
  'mail_search',
  'deploy_status',
  'set_delete_protection',
  'undelete',
  'port_forward',
  'get_payment',
  'post_search',
  'blog_post_create',
  'count_emails',
  'sendgrid_list_templates',
])('%s says nothing dangerous', (name) => {
  expect(nameDanger(name, 'any')).toBeUndefined();
});

test('what a server puts before all of its tools is not part of a name', () => {
  expect(nameDanger('acme_reset_key', 'acme')).toBe('reset');
  expect(nameDanger('acme_reset_key', 'other')).toBeUndefined();
  expect(nameDanger('API-delete-a-block', 'notion')).toBe('delete');
  expect(nameDanger('bulk_delete', 'notion')).toBe('delete');
});

test('a server named after a danger does not hide it', () => {
  expect(nameDanger('delete_all', 'delete')).toBe('delete');
  expect(nameDanger('send', 'send')).toBe('send');
});
