/** The servers of `pml demo` and their tools. Most are never called: a real set-up has many of those. */
import type { JsonObject } from '../../core/index.js';
import { CUSTOMERS, SAMPLE_INVOICES } from './sample-data.js';

export interface SampleTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
  readonly run: (args: JsonObject) => JsonObject;
}

type Parameters = Readonly<Record<string, string>>;

/** `parameters`: name → description; a name with `?` is optional. All are texts. */
function tool(
  name: string,
  description: string,
  parameters: Parameters,
  run?: SampleTool['run'],
): SampleTool {
  const names = Object.keys(parameters);
  const bare = (one: string) => one.replace('?', '');
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, text]) => [
      bare(key),
      { type: 'string', description: text },
    ]),
  );
  const isReading = /^(get|list|search|find|read)/.test(name);
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties,
      required: names.filter((one) => !one.endsWith('?')),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: isReading, destructiveHint: /^(delete|cancel)/.test(name) },
    run: run ?? (() => ({ done: true })),
  };
}

const CRM: readonly SampleTool[] = [
  tool(
    'list_invoices',
    'List invoices of all customers, newest first, with number, customer, amount and status',
    {
      'status?': 'Only invoices with this status: paid, open or overdue',
      'limit?': 'How many at most',
    },
    ({ status, limit }) => ({
      invoices: SAMPLE_INVOICES.filter((one) => status === undefined || one.status === status)
        .slice(0, limit === undefined ? undefined : Number(limit))
        .map((one) => ({ ...one })),
    }),
  ),
  tool(
    'get_customer',
    'Get one customer by id, with name, contact person, email address and city',
    { id: 'Id of the customer, such as C-104' },
    ({ id }) => ({ ...CUSTOMERS.find((one) => one.id === id) }),
  ),
  tool('search_customers', 'Search customers by name, contact person or city', {
    text: 'Words to search for',
    'city?': 'Only customers in this city',
  }),
  tool('create_customer', 'Create a customer', {
    name: 'Name of the company',
    contact: 'Name of the contact person',
    email: 'Email address of the contact person',
  }),
  tool('update_customer', 'Change the contact or the address of a customer', {
    id: 'Id of the customer',
    'contact?': 'New contact person',
    'email?': 'New email address',
  }),
  tool('delete_customer', 'Delete a customer and everything that belongs to it', {
    id: 'Id of the customer',
  }),
  tool('create_invoice', 'Create an invoice for a customer', {
    customerId: 'Id of the customer',
    amount: 'Amount, such as 120.50',
    'currency?': 'ISO code of the currency',
  }),
  tool('cancel_invoice', 'Cancel an invoice that was sent', { number: 'Number of the invoice' }),
  tool('list_deals', 'List deals of the sales pipeline with stage and value', {
    'stage?': 'Only deals in this stage',
  }),
  tool('update_deal', 'Move a deal to another stage', { id: 'Id of the deal', stage: 'New stage' }),
];

const MAIL: readonly SampleTool[] = [
  tool('send_email', 'Send an email', {
    to: 'Address of the recipient',
    subject: 'Subject line',
    body: 'Text of the message',
    'cc?': 'Addresses that get a copy',
  }),
  tool('search_emails', 'Search the mailbox', {
    query: 'Words, or from:, to:, subject: with a value',
    'folder?': 'Folder to search in',
  }),
  tool('read_email', 'Read one email with its attachments listed', { id: 'Id of the email' }),
  tool('delete_email', 'Delete an email for good', { id: 'Id of the email' }),
  tool('move_email', 'Move an email to a folder', { id: 'Id of the email', folder: 'Folder' }),
  tool('create_draft', 'Save a draft without sending it', {
    to: 'Address of the recipient',
    subject: 'Subject line',
    body: 'Text of the message',
  }),
  tool('list_folders', 'List the folders of the mailbox', {}),
];

const CALENDAR: readonly SampleTool[] = [
  tool('list_events', 'List events between two days', {
    from: 'First day, as 2026-11-18',
    to: 'Last day, as 2026-11-20',
    'calendar?': 'Name of the calendar',
  }),
  tool('create_event', 'Create an event and invite people', {
    title: 'Title of the event',
    start: 'Start, as 2026-11-18T09:00',
    end: 'End, as 2026-11-18T10:00',
    'attendees?': 'Email addresses, separated by commas',
  }),
  tool('update_event', 'Change title or time of an event', {
    id: 'Id of the event',
    'title?': 'New title',
    'start?': 'New start',
    'end?': 'New end',
  }),
  tool('cancel_event', 'Cancel an event and notify its attendees', { id: 'Id of the event' }),
  tool('find_free_time', 'Find times at which all of these people are free', {
    attendees: 'Email addresses, separated by commas',
    minutes: 'Length of the meeting',
    'within_days?': 'How many days to look ahead',
  }),
];

const FILES: readonly SampleTool[] = [
  tool('read_file', 'Read a text file', { path: 'Path of the file' }),
  tool('write_file', 'Write a text file, replacing what it held', {
    path: 'Path of the file',
    content: 'New content',
  }),
  tool('list_directory', 'List files and folders in a folder', { path: 'Path of the folder' }),
  tool('search_files', 'Search files by name below a folder', {
    path: 'Path of the folder',
    pattern: 'Pattern, such as *.txt',
  }),
  tool('move_file', 'Move or rename a file', { source: 'Path', destination: 'New path' }),
  tool('delete_file', 'Delete a file', { path: 'Path of the file' }),
  tool('get_file_info', 'Get size, owner and times of a file', { path: 'Path of the file' }),
  tool('create_directory', 'Create a folder and the folders above it', { path: 'Path' }),
];

export const SAMPLE_SERVERS: Readonly<Record<string, readonly SampleTool[]>> = {
  crm: CRM,
  mail: MAIL,
  calendar: CALENDAR,
  files: FILES,
};
