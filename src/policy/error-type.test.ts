import { describe, expect, test } from 'vitest';

import type { PmlErrorCode, TaskError } from '../core/index.js';
import { errorType, isTransient } from './error-type.js';

const failed = (message: string, code: PmlErrorCode = 'TOOL_FAILED'): TaskError => ({
  code,
  message,
});

describe('the type of an error', () => {
  test.each([
    ['TOOL_TIMED_OUT', 'timeout'],
    ['TOOL_DENIED', 'permission'],
    ['TOOL_BLOCKED', 'permission'],
    ['TOOL_UNKNOWN', 'not_found'],
    ['RESULT_NOT_FOUND', 'not_found'],
    ['ARGUMENTS_INVALID', 'validation'],
    ['REFERENCE_INVALID', 'validation'],
    ['SERVER_CRASHED', 'network'],
  ] as const)('%s is %s whatever its message says', (code, type) => {
    expect(errorType(failed('404 not found', code))).toBe(type);
  });

  test.each([
    ['Request failed with status code 404', 'not_found'],
    ['GitHub API error: 401 Bad credentials', 'permission'],
    ['HTTP 403: rate limit for anonymous users', 'permission'],
    ['Error: 429 Too Many Requests', 'network'],
    ['HTTP/1.1 503 Service Unavailable', 'network'],
    ['Upstream answered 502 Bad Gateway', 'network'],
    ['{"status":422,"message":"Unprocessable Entity"}', 'validation'],
    ['[400] name is taken', 'validation'],
    ['504 Gateway Time-out', 'timeout'],
    ["ENOENT: no such file or directory, open '/tmp/a'", 'not_found'],
    ["EACCES: permission denied, mkdir '/root/a'", 'permission'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'network'],
    ['getaddrinfo ENOTFOUND api.example.com', 'network'],
    ['connect ETIMEDOUT 10.0.0.1:443', 'timeout'],
    ['TypeError: fetch failed', 'network'],
    ['Navigation timeout of 30000 ms exceeded', 'timeout'],
    ['The operation timed out', 'timeout'],
    ['Access denied - path outside allowed directories: /etc', 'permission'],
    ['Not authorized to view this channel', 'permission'],
    ['Invalid API key provided', 'permission'],
    ['channel_not_found', 'not_found'],
    ['Error: Issue ABC-1 does not exist', 'not_found'],
    ['relation "users" does not exist', 'not_found'],
    ['Unknown tool: foo', 'not_found'],
    ['MCP error -32602: Invalid arguments for tool read_file', 'validation'],
    ['"limit" must be less than or equal to 100', 'validation'],
    ['path is required', 'validation'],
    ['Something went wrong', 'unknown'],
    ['It is broken after 404 rows', 'unknown'],
    ['', 'unknown'],
  ])('%s: %s', (message, type) => {
    expect(errorType(failed(message))).toBe(type);
  });
});

describe('trying again', () => {
  test.each([
    ['HTTP 429', true],
    ['HTTP 500', true],
    ['HTTP 501', false],
    ['status code 404', false],
    ['socket hang up', true],
    ['The operation timed out', true],
    ['Rate limit exceeded, retry after 3 s', true],
    ['path is required', false],
    ['Something went wrong', false],
  ])('%s: %s', (message, helps) => {
    expect(isTransient(failed(message))).toBe(helps);
  });

  test.each([
    ['TOOL_TIMED_OUT', true],
    ['SERVER_CRASHED', true],
    ['SERVER_NOT_STARTED', true],
    ['SERVER_BROKEN', false],
    ['CALL_CANCELLED', false],
    ['TOOL_DENIED', false],
    ['ARGUMENTS_INVALID', false],
  ] as const)('%s: %s', (code, helps) => {
    expect(isTransient(failed('timed out', code))).toBe(helps);
  });

  test('a page of text as a message is judged in no time', () => {
    expect(errorType(failed(' not'.repeat(2_000_000)))).toBe('unknown');
  });
});
