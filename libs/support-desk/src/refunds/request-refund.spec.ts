import { describe, expect, it } from '@jest/globals';
import { NoAnswerError } from '#libs/guarded-fetch';
import { requestRefund } from './request-refund.js';

const REFUND = { order: 'A-1', amount: '5.00', reason: 'broken' };
const SHOP = { url: 'https://shop.test/refunds', token: null };
const CALL = { idempotencyKey: 'e.1.0', signal: new AbortController().signal };
const ask = (fetch: typeof globalThis.fetch, token: string | null = null) =>
  requestRefund(fetch, { ...SHOP, token }, REFUND, CALL);
const failing = (error: Error) => () => Promise.reject(error);

describe('asking a shop for a refund', () => {
  it('sends what is asked for under the key of the call, and reads the receipt', async () => {
    const sent: [unknown, RequestInit | undefined][] = [];
    const outcome = await ask((url, init) => {
      sent.push([url, init]);
      return Promise.resolve(new Response('{"receipt": "R-1"}', { status: 201 }));
    });
    expect(outcome).toEqual({ kind: 'refunded', receipt: 'R-1' });
    expect(sent).toMatchObject([
      ['https://shop.test/refunds', { method: 'POST', headers: { 'idempotency-key': 'e.1.0' } }],
    ]);
    expect(JSON.parse(sent[0]?.[1]?.body as string)).toEqual(REFUND);
  });

  it.each([
    ['a-token', 'Bearer a-token'],
    [null, null],
  ])('identifies itself by the token %j', async (token, authorization) => {
    const sent: Headers[] = [];
    await ask((_url, init) => {
      sent.push(new Headers(init?.headers));
      return Promise.resolve(new Response('{}', { status: 201 }));
    }, token);
    expect(sent.map((headers) => headers.get('authorization'))).toEqual([authorization]);
  });

  it.each([
    ['never reached', 'connection_failed', false, { kind: 'refused', reason: 'The shop cannot be reached.' }],
    ['at a blocked address', 'blocked_address', false, { kind: 'refused', reason: expect.any(String) }],
    ['reached, and broke off', 'connection_failed', true, { kind: 'unknown' }],
    ['reached, and silent', 'timeout', true, { kind: 'unknown' }],
  ] as const)('knows what became of it where the shop is %s', async (_what, reason, wasSent, outcome) => {
    expect(await ask(failing(new NoAnswerError(reason, wasSent)))).toEqual(outcome);
  });

  it('is refunded where the status says so and the rest breaks off', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new NoAnswerError('connection_failed', true)),
    });
    const outcome = await ask(() => Promise.resolve(new Response(body, { status: 201 })));
    expect(outcome).toEqual({ kind: 'refunded', receipt: null });
  });

  it('leaves to others what is no word of the shop', async () => {
    await expect(ask(failing(new TypeError('cannot be sent')))).rejects.toThrow('cannot be sent');
  });
});
