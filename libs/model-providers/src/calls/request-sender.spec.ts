import { describe, expect, it } from '@jest/globals';
import { APIError } from 'openai';
import { MockAgent } from 'undici';
import { RequestSender } from './request-sender.js';

const ORIGIN = 'https://model.test';

interface Heard {
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** A server with a fixed response, and the requests that it received. */
function serverThat(status: number, answer: string) {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  const heard: Heard[] = [];
  dispatcher
    .get(ORIGIN)
    .intercept({ path: '/v1/responses?api-version=1', method: 'POST' })
    .reply(
      status,
      ({ headers, body }) => {
        heard.push({ headers: headers as Record<string, string>, body: JSON.parse(body as string) });
        return answer;
      },
      { headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' } },
    )
    .persist();
  const connection = {
    apiKey: 'secret',
    baseUrl: `${ORIGIN}/v1`,
    headers: { 'x-gateway': 'yes' },
    query: { 'api-version': '1' },
    timeoutMs: 60_000,
    dispatcher,
  };
  return { heard, sender: new RequestSender(connection, { path: '/responses' }) };
}

const post = (sender: RequestSender, body: object) => sender.post(body, new AbortController().signal);

describe('RequestSender', () => {
  it('sends each body to the address of the connection, with its headers', async () => {
    const { heard, sender } = serverThat(200, '{"a":1}');

    const answers = [await post(sender, { input: 'one' }), await post(sender, { input: 'two' })];

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['{"a":1}', '{"a":1}']);
    expect(heard.map(({ body }) => body)).toEqual([{ input: 'one' }, { input: 'two' }]);
    for (const { headers } of heard) {
      expect(headers).toMatchObject({
        authorization: 'Bearer secret',
        'content-type': 'application/json',
        'x-gateway': 'yes',
      });
    }
  });

  it.each([
    ['says why', '{"error":{"code":"busy","message":"later"}}', { code: 'busy' }],
    ['is a page', '<html><title>Busy</title>', { error: { message: 'Busy' } }],
    ['has another shape', '{"detail":"later"}', { error: { message: 'later' } }],
    ['says nothing', 'null', { error: {} }],
  ])('throws what the client throws for a refusal that %s', async (_name, answer, expected) => {
    const failure: unknown = await post(serverThat(429, answer).sender, {}).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ status: 429, requestID: 'req_1', ...expected });
  });
});
