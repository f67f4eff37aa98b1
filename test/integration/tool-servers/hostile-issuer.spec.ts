import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answering, EndlessBodies, hostileAnswers } from '../../support/oauth/hostile-answers.js';
import { chosen, RUNS_ALL } from '../../support/selection.js';
import { ask, type Answer } from '../api/http-client.js';
import { hostileJson } from '../fuzz/hostile-values.js';
import { Receiver } from '../webhooks/receiver.js';
import { CANARY, ConnectionsWorld } from './connections-world.js';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123);
const RUNS = Number(process.env.FUZZ_RUNS ?? 1);
const METADATA = '/.well-known/oauth-authorization-server';
/** The only error texts that a client or model may read after any fault of an authorization server. */
const OUR_WORDS = new RegExp(
  [
    'what answers as the authorization server does not speak OAuth as it should',
    'the authorization server names itself otherwise than it is known by',
    'the authorization server cannot be reached',
    'the address of the authorization server may not be called',
    'the authorization server issued no bearer token',
    'the authorization server leads to no web page',
    'the authorization server refused the client: [a-z_]+',
    'the user on whose behalf it is called has to connect to it first',
    'the server refuses the tokens of its authorization server',
    'the server answered 401',
  ].join('|'),
);
/** Maximum bytes that a server can send until it notices that the client reads no more: the socket buffers. */
const MAX_SENT_BYTES = 64 * 1_048_576;
/** Maximum requests of one step: two ways of metadata discovery, redirects of each, and a retry for a refused client. */
const MAX_REQUESTS = 30;

/** A receiver at an internal address; any connection to it fails the test. */
let trap: Receiver;
let world: ConnectionsWorld;
let server: string;
let endless: EndlessBodies;

beforeAll(async () => {
  trap = await Receiver.listen(
    (_request, response) => response.end('should never be asked'),
    undefined,
    '127.0.0.3',
  );
  world = await ConnectionsWorld.open();
});
beforeEach(async () => {
  server = await world.reset();
  endless = new EndlessBodies();
});
afterAll(async () => {
  await world.close();
  await trap.close();
});

/** Replaces the authorization server's behaviour at a path, and counts the requests there. */
function insteadAt(path: string, behave: ReturnType<typeof answering>): { readonly count: () => number } {
  let count = 0;
  world.authorization.instead = {
    [path]: (response) => {
      count += 1;
      behave(response);
    },
  };
  return { count: () => count };
}

/** Expects success, or a failure with one of the service's own error texts. */
function evaluate({ status, body, text }: Answer, well: number): void {
  expect(text).not.toContain(CANARY);
  if (status === well) return;
  expect([status, body['code'], text]).toEqual([422, 'CONNECTION_FAILED', expect.stringMatching(OUR_WORDS)]);
}

/** Each step that calls an authorization server: title, path, and action with its expectations. */
const STEPS: readonly (readonly [string, string, (hostile: () => void) => Promise<void>])[] = [
  [
    'is looked up',
    METADATA,
    async (hostile) => {
      hostile();
      const begun = await world.begin(server);
      evaluate(begun, 201);
      if (begun.status === 201) expect(begun.body['authorize_url']).toMatch(/^https?:/);
    },
  ],
  [
    'registers us',
    '/register',
    async (hostile) => {
      await world.api.dataSource.query('DELETE FROM tool_server WHERE id <> $1', [server]);
      const unknown = { client_auth: 'registered', client_id: undefined, client_secret: undefined };
      const other = await world.makeServer(unknown, 'other');
      hostile();
      evaluate(await world.begin(other), 201);
    },
  ],
  [
    'issues tokens',
    '/token',
    async (hostile) => {
      const back = await world.consent(await world.begin(server));
      hostile();
      evaluate(await world.callback(back), 200);
    },
  ],
  [
    'renews tokens',
    '/token',
    async (hostile) => {
      expect((await world.connect(server)).status).toBe(200);
      await world.age();
      hostile();
      const [outcome, output] = await world.call('mara');
      expect(String(output)).not.toContain(CANARY);
      if (outcome !== 'succeeded')
        expect([outcome, output]).toEqual(['refused', expect.stringMatching(OUR_WORDS)]);
    },
  ],
  [
    'revokes tokens',
    '/revoke',
    async (hostile) => {
      const { body } = await world.connect(server);
      hostile();
      const revoked = await ask(world.api.url, `/api/connections/${String(body['id'])}/revoke/`, {
        json: {},
      });
      expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked' } });
    },
  ],
];

const NAMES = hostileAnswers('', new EndlessBodies()).map(([name]) => name);

describe.each(STEPS)('an authorization server that %s', (step, path, go) => {
  // The daily run gives each answer at one step only, and some answers at each step.
  const place = STEPS.findIndex(([each]) => each === step);
  const names = chosen(NAMES, (name) => NAMES.indexOf(name) % STEPS.length === place);
  it.each(names)('and %s', async (name) => {
    const inside = `http://127.0.0.3:${trap.port}/`;
    const [, behave] = hostileAnswers(inside, endless).find(([each]) => each === name) ?? [];
    if (behave === undefined) throw new Error(`there is no ${name}`);
    let seen = { count: () => 0 };
    await go(() => {
      seen = insteadAt(path, behave);
    });
    expect(seen.count()).toBeGreaterThan(0);
    expect(seen.count()).toBeLessThan(MAX_REQUESTS);
    expect(endless.sent).toBeLessThan(MAX_SENT_BYTES);
    expect(trap.connections).toBe(0);
  });
});

/** Valid answers, of which a test replaces one field at a time. */
function goodAnswer(step: string): Record<string, unknown> {
  const { origin } = world.authorization;
  if (step === 'is looked up')
    return {
      ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
      ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
      ...{ registration_endpoint: `${origin}/register`, revocation_endpoint: `${origin}/revoke` },
      ...{ scopes_supported: ['a'], token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      ...{
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: false,
      },
    };
  if (step === 'registers us')
    return {
      ...{ client_id: 'one', client_secret: 'two', client_id_issued_at: 1, client_secret_expires_at: 0 },
      ...{ redirect_uris: ['https://app.example.com/'], token_endpoint_auth_method: 'none', scope: 'a' },
    };
  return {
    ...{ access_token: 'a-token', token_type: 'Bearer', expires_in: 3_600, refresh_token: 'another' },
    ...{ scope: 'a', id_token: 'a.b.c' },
  };
}

describe.each(STEPS.slice(0, 4))('an authorization server that %s', (step, path, go) => {
  it('says in a field, it is taken or refused in our words', async () => {
    const fields = Object.keys(goodAnswer(step));
    const answers = fc.tuple(fc.constantFrom(...fields), hostileJson);
    await fc.assert(
      fc.asyncProperty(answers, async ([field, json]) => {
        server = await world.reset();
        const rest = Object.entries(goodAnswer(step)).filter(([name]) => name !== field);
        const texts = rest.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
        const text = `{${[...texts, `${JSON.stringify(field)}:${json}`].join(',')}}`;
        await go(() => void insteadAt(path, answering(200, text)));
      }),
      { numRuns: (RUNS_ALL ? 15 : 5) * RUNS, seed: SEED, endOnFailure: true },
    );
  });
});

describe('tokens that cannot be stored as they are', () => {
  it('a scope that is none is not shown, and the tokens are used', async () => {
    const back = await world.consent(await world.begin(server));
    const issued = { access_token: 'a-token', token_type: 'Bearer', scope: 'a\u0000b' };
    insteadAt('/token', answering(200, JSON.stringify(issued)));
    const connected = await world.callback(back);
    expect(connected).toMatchObject({ status: 200, body: { status: 'connected', scope: null } });
  });

  it.each([1e300, -1e300, 1e15, 0.5])('a registration that ends at %d is kept for a time', async (endsAt) => {
    const unknown = { client_auth: 'registered', client_id: undefined, client_secret: undefined };
    const other = await world.makeServer(unknown, 'other');
    const made = { client_id: 'x', redirect_uris: [], client_secret_expires_at: endsAt };
    insteadAt('/register', answering(201, JSON.stringify(made)));
    expect((await world.begin(other)).status).toBe(201);
  });
});
