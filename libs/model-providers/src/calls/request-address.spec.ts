import { describe, expect, it } from '@jest/globals';
import { createOpenAiClient } from './client.js';
import type { ClientConnection } from './connection.js';
import { requestAddress } from './request-sender.js';

const CONNECTION: ClientConnection = { apiKey: 'secret', baseUrl: 'https://model.test/v1', timeoutMs: 1_000 };

/** Headers about the client and its retries, which servers ignore. */
const OF_THE_CLIENT = /^(user-agent|x-stainless-.*)$/u;

async function addressOfClient(connection: ClientConnection) {
  const client = await createOpenAiClient(connection);
  const { url, req } = await client.buildRequest({ method: 'post', path: '/responses', body: {} });
  const headers = [...req.headers].filter(([name]) => !OF_THE_CLIENT.test(name));
  return { url, headers: Object.fromEntries(headers) };
}

describe('requestAddress', () => {
  it.each<[string, Partial<ClientConnection>]>([
    ['a key', {}],
    ['OpenAI itself', { baseUrl: null }],
    ['no server named', { baseUrl: '' }],
    ['a server with a last slash', { baseUrl: 'https://model.test/v1/' }],
    ['a server without a path', { baseUrl: 'https://model.test' }],
    ['a server with a port, in HTTP', { baseUrl: 'http://127.0.0.1:8080/openai/v1' }],
    ['a query in the address of the server', { baseUrl: 'https://model.test/v1?tier=2' }],
    ['both queries', { baseUrl: 'https://model.test/v1?tier=2', query: { 'api-version': '1 a&b' } }],
    ['a name in both queries', { baseUrl: 'https://model.test/v1?tier=2', query: { tier: '3' } }],
    ['an organization', { organization: 'org-1' }],
    ['no organization', { organization: '' }],
    ['no key', { apiKey: null }],
    ['a key in a header of its own', { headers: { 'api-key': 'other', Authorization: null } }],
    ['a header that is always sent', { headers: { Accept: 'text/event-stream' } }],
    ['a query', { query: { 'api-version': '2024-10-21' } }],
  ])('is where the official client posts to: %s', async (_name, changes) => {
    const connection = { ...CONNECTION, ...changes };

    const { url, headers } = requestAddress(connection, '/responses');

    const { 'user-agent': ours, ...others } = headers;
    expect({ url, headers: others }).toEqual(await addressOfClient(connection));
    expect(ours).toBe('capstan');
  });

  it('throws where the server is no address', () => {
    expect(() => requestAddress({ ...CONNECTION, baseUrl: 'nowhere' }, '/responses')).toThrow('Invalid URL');
  });
});
