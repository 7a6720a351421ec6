import { describe, expect, test } from 'vitest';

import { type JsonObject, type ProtocolEra, THE_USER } from '../../core/index.js';
import { NO_TRAIL } from '../../discovery/index.js';
import type { Caller } from '../../servers/index.js';
import { createContextBudget } from '../../tool-text/index.js';
import type { RequestContext } from '../request-context.js';
import { paramsFor, sendAndAnswer } from './pass-request.js';

const INFO = 'io.modelcontextprotocol/clientInfo';

function contextOf(answer: JsonObject = {}): RequestContext & { readonly asked: string[] } {
  const asked: string[] = [];
  const caller: Caller = {
    session: 's',
    principal: THE_USER,
    user: 's',
    era: 'legacy',
    info: { name: 'client' },
    capabilities: {},
    ask: async (method) => {
      asked.push(method);
      return answer;
    },
    tell: () => {},
  };
  const budget = { current: createContextBudget({ windowTokens: 1_000, share: 0.1 }) };
  return {
    caller,
    signal: new AbortController().signal,
    onProgress: undefined,
    budget,
    trail: { current: NO_TRAIL },
    asked,
  };
}

const speaking = (era: ProtocolEra) => ({ eraFor: () => era });

describe('parameters', () => {
  const params = {
    uri: 'x://y',
    requestState: 'theirs',
    _meta: { progressToken: 3, [INFO]: { name: 'other' }, 'example.com/trace': 't' },
  };

  test('parameters for a legacy server carry no fields of the newer revision', () => {
    expect(paramsFor(speaking('legacy'), params, contextOf())).toEqual({
      uri: 'x://y',
      _meta: { 'example.com/trace': 't' },
    });
  });

  test('parameters for a modern server name the client and keep its state', () => {
    const { _meta: meta, ...rest } = paramsFor(speaking('modern'), params, contextOf());

    expect(rest).toEqual({ uri: 'x://y', requestState: 'theirs' });
    expect(meta).toMatchObject({ [INFO]: { name: 'other' }, 'example.com/trace': 't' });
  });

  test('parameters never carry the progress token of another connection', () => {
    for (const era of ['legacy', 'modern'] as const) {
      expect(JSON.stringify(paramsFor(speaking(era), params, contextOf()))).not.toContain(
        'progressToken',
      );
    }
  });
});

describe('a server that asks by ending its request', () => {
  const question = {
    resultType: 'input_required',
    inputRequests: { colour: { method: 'elicitation/create', params: {} } },
    requestState: 'round one',
  };

  test('a server that asks back gets the request again, with the answers of the client', async () => {
    const context = contextOf({ action: 'accept' });
    const sent: JsonObject[] = [];

    const result = await sendAndAnswer(
      async (params) => {
        sent.push(params);
        return sent.length === 1 ? question : { resultType: 'complete', done: true };
      },
      { name: 'x' },
      context,
    );

    expect(result).toEqual({ done: true });
    expect(context.asked).toEqual(['elicitation/create']);
    expect(sent[1]).toEqual({
      name: 'x',
      inputResponses: { colour: { action: 'accept' } },
      requestState: 'round one',
    });
  });

  test('a request is given up if its server asks back without end', async () => {
    await expect(sendAndAnswer(async () => question, {}, contextOf())).rejects.toMatchObject({
      code: 'SERVER_PROTOCOL_ERROR',
    });
  });
});
