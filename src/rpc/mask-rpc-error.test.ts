import { describe, expect, test } from 'vitest';

import { maskKnown, maskSecrets } from '../core/index.js';
import { maskRpcError } from './mask-rpc-error.js';
import { RPC, RpcError } from './messages.js';

const KNOWN = ['sesame-1'];
const masks = {
  all: (text: string) => maskSecrets(text, KNOWN),
  known: (text: string) => maskKnown(text, KNOWN),
};

describe('maskRpcError', () => {
  test('maskRpcError keeps the URL a user is asked to open, except for known secrets', () => {
    const url = 'https://login.example/start?session_token=abcdef123456&key=';
    const elicitation = { mode: 'url', elicitationId: 'e-1', message: 'Sign in' };
    const data = { elicitations: [{ ...elicitation, url: `${url}sesame-1` }] };
    const error = new RpcError(RPC.urlElicitationRequired, 'token=abcdef123456', data);

    const { message, data: masked } = maskRpcError(error, masks);

    expect(masked).toEqual({ elicitations: [{ ...elicitation, url: `${url}***` }] });
    expect(message).toBe('token=***');
  });

  test('maskRpcError hides apparent secrets in the data of every other error', () => {
    const error = new RpcError(-32050, 'no', { note: 'token=abcdef123456 sesame-1' });

    expect(maskRpcError(error, masks).data).toEqual({ note: 'token=*** ***' });
  });

  test('maskRpcError adds no data to an error without data', () => {
    expect(maskRpcError(new RpcError(-32050, 'no'), masks).body).toEqual({
      code: -32050,
      message: 'no',
    });
  });
});
