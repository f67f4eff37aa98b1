import { describe, expect, it } from '@jest/globals';
import { AccessTokens, type AccessChallenge } from '#libs/tooling';
import { authorizedFetch } from './authorized-fetch.js';

const SERVER = 'https://crm.example/mcp';

class NumberedTokens extends AccessTokens {
  override readonly holder = 'tenant';
  readonly challenges: AccessChallenge[] = [];
  private count = 1;

  override current(): Promise<string> {
    return Promise.resolve(`token-${this.count}`);
  }

  override renew(_refused: string, challenge: AccessChallenge): Promise<string> {
    this.challenges.push(challenge);
    this.count += 1;
    return this.current();
  }
}

function worldOf(...statuses: number[]) {
  const sent: (readonly [string, string | null])[] = [];
  const tokens = new NumberedTokens();
  const fetchOnce = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push([
      input instanceof Request ? input.url : String(input),
      new Headers(init?.headers).get('authorization'),
    ]);
    const status = statuses.shift() ?? 200;
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' };
    return Promise.resolve(new Response('an answer', { status, headers }));
  };
  return { sent, tokens, fetch: authorizedFetch(fetchOnce, tokens, SERVER) };
}

describe('authorizedFetch', () => {
  it('sends a token to the origin of the server, over any header', async () => {
    const { sent, fetch } = worldOf();
    await fetch(`${SERVER}/a`, { headers: { Authorization: 'another' } });
    expect(sent).toEqual([[`${SERVER}/a`, 'Bearer token-1']]);
  });

  it.each(['https://evil.example/mcp', 'http://crm.example/mcp', 'https://crm.example:8443/mcp'])(
    'sends none to %s',
    async (url) => {
      const { sent, fetch } = worldOf();
      await fetch(url);
      expect(sent).toEqual([[url, null]]);
    },
  );

  it.each<[number[], number, string[]]>([
    [[200], 200, ['token-1']],
    [[401, 200], 200, ['token-1', 'token-2']],
    [[403, 401, 200], 200, ['token-1', 'token-2', 'token-3']],
    [[401, 401, 401, 200], 401, ['token-1', 'token-2', 'token-3']],
    [[500, 200], 500, ['token-1']],
  ])('answers of %j end as %i, with %j', async (statuses, status, tokens) => {
    const { sent, fetch } = worldOf(...statuses);
    expect((await fetch(SERVER)).status).toBe(status);
    expect(sent.map(([, token]) => token)).toEqual(tokens.map((token) => `Bearer ${token}`));
  });
});
