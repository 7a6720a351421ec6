import { expect, test } from 'vitest';

import { describeOpen, findLost } from './lost-requests.js';

const request = (id: number, method: string, params = {}) =>
  ({ jsonrpc: '2.0', id, method, params }) as const;
const line = (message: object) => JSON.stringify(message);
const answer = (id: number, result = {}) => line({ jsonrpc: '2.0', id, result });

test('an unanswered tool call gets an error, and an unanswered list request is resent', () => {
  const list = request(2, 'tools/list');

  const lost = findLost([line(request(1, 'tools/call')), line(list)], [], []);

  expect(lost.errors).toMatchObject([
    { id: 1, error: { code: -32_010, data: { retryable: false } } },
  ]);
  expect(lost.repeat).toEqual([line(list)]);
});

const RUNS = ['pml_execute_workflow', 'pml_execute_code', 'cap__backUp'];

test.each(RUNS)(
  'a lost %s call is not retryable, and its error says how to find the run',
  (name) => {
    const workflow = request(1, 'tools/call', { name });
    const decision = request(2, 'tools/call', {
      name: 'pml_continue',
      arguments: { run: 'r', decision: 'approve' },
    });
    const other = request(3, 'tools/call', { name: 'good__echo' });

    const { errors } = findLost([line(decision), line(other)], [], [describeOpen(workflow)]);

    expect(errors).toMatchObject([
      {
        id: 1,
        error: {
          message: expect.stringContaining('pml_continue without "run" lists') as string,
          data: { retryable: false },
        },
      },
      { id: 2, error: { message: expect.stringContaining('"wait"') as string } },
      { id: 3, error: { message: expect.stringContaining('safe to retry') as string } },
    ]);
  },
);

test('lost read-only calls to the tools of PML are resent', () => {
  const find = request(1, 'tools/call', { name: 'pml_discover', arguments: { intent: 'x' } });
  const wait = request(2, 'tools/call', {
    name: 'pml_continue',
    arguments: { run: 'r', decision: 'wait' },
  });

  const read = request(3, 'tools/call', { name: 'pml_read', arguments: { code: '1' } });

  const lost = findLost([line(find), line(read)], [], [describeOpen(wait)]);

  expect(lost.errors).toEqual([]);
  expect(lost.repeat.toSorted()).toEqual([line(find), line(wait), line(read)]);
});

test('a request answered just before the daemon died is neither failed nor resent', () => {
  const sent = [line(request(1, 'tools/call')), line(request(2, 'tools/list'))];

  const lost = findLost(sent, [answer(1), answer(2)], []);

  expect([lost.errors, lost.repeat]).toEqual([[], []]);
});

test('a request with half an answer gets an error', () => {
  const lost = findLost([line(request(1, 'tools/call'))], [answer(1).slice(0, -3)], []);

  expect(lost.errors).toHaveLength(1);
});

test('a request that the daemon read long ago is reported as lost, and only once', () => {
  const call = request(1, 'tools/call');
  const read = request(2, 'resources/read', { uri: 'a:b' });
  const open = [call, read].map(describeOpen);

  const lost = findLost([line(read)], [], open);

  expect(lost.errors.map(({ id }) => id)).toEqual([1]);
  expect(lost.repeat).toEqual([line(read)]);
});

test('an open request whose answer arrived last is not lost', () => {
  const open = [describeOpen(request(1, 'tools/call'))];

  expect(findLost([], [answer(1)], open).errors).toEqual([]);
});

test('a lost wait that carries a message is not resent, so that no message arrives twice', () => {
  const wait = request(2, 'tools/call', {
    name: 'pml_continue',
    arguments: { run: 'r', decision: 'wait', message: 'hello' },
  });

  const lost = findLost([line(wait)], [], []);

  expect(lost.repeat).toEqual([]);
  expect(lost.errors).toMatchObject([{ id: 2, error: { data: { retryable: true } } }]);
});

test('notifications, responses of the client and garbage are not pending requests', () => {
  const sent = ['', 'garbage', line({ jsonrpc: '2.0', method: 'notifications/x' }), answer(9)];

  const lost = findLost(sent, ['', '{"half'], []);

  expect([lost.errors, lost.repeat]).toEqual([[], []]);
});

test('each request of a lost batch is handled on its own', () => {
  const batch = line([request(1, 'tools/call'), request(2, 'ping')]);

  const lost = findLost([batch], [], []);

  expect(lost.errors).toHaveLength(1);
  expect(lost.repeat).toHaveLength(1);
});

test('an answered initialize request gives the session, and an unanswered one is resent', () => {
  const params = { clientInfo: { name: 'c' }, capabilities: { sampling: {} } };
  const greeting = line(request(1, 'initialize', params));

  const greeted = findLost([greeting], [answer(1, { protocolVersion: '2025-06-18' })], []);
  const ungreeted = findLost([greeting], [], []);

  expect(greeted.session).toMatchObject({
    protocolVersion: '2025-06-18',
    info: { name: 'c' },
    capabilities: { sampling: {} },
  });
  expect(greeted.repeat).toEqual([]);
  expect(ungreeted.session).toBeUndefined();
  expect(ungreeted.repeat).toEqual([greeting]);
});
