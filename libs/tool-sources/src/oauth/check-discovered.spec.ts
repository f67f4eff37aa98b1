import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { describe, expect, it } from '@jest/globals';
import { checkDiscovered, isAnswerOfIssuer } from './check-discovered.js';

const found = (issuer: string | null, more: object = {}): OAuthDiscoveryState => ({
  authorizationServerUrl: 'https://auth.example',
  ...(issuer !== null && {
    authorizationServerMetadata: {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ response_types_supported: ['code'], ...more },
    },
  }),
});

describe('checkDiscovered', () => {
  it.each([null, 'https://auth.example', 'https://auth.example/', 'HTTPS://AUTH.example'])(
    'takes metadata that say %s',
    (issuer) => {
      expect(() => checkDiscovered(found(issuer))).not.toThrow();
    },
  );
  it.each(['https://honest.example', 'http://auth.example', 'https://auth.example/tenant', 'auth.example'])(
    'refuses metadata that say %s',
    (issuer) => {
      expect(() => checkDiscovered(found(issuer))).toThrow('names itself otherwise');
    },
  );
});

describe('an authorization server without a configured issuer', () => {
  it.each<[string, boolean]>([
    ['https://auth.example/oauth', true],
    ['https://honest.example', false],
    ['http://auth.example', false],
    ['no address', false],
  ])('may call itself %s: %s', (issuer, isTaken) => {
    const check = () => checkDiscovered(found(issuer), false);
    if (isTaken) expect(check).not.toThrow();
    else expect(check).toThrow('names itself otherwise');
  });
});

describe('isAnswerOfIssuer', () => {
  const says = { authorization_response_iss_parameter_supported: true };
  it.each<[string | null, object, string | null, boolean]>([
    ['https://auth.example', {}, null, true],
    ['https://auth.example', {}, 'https://auth.example', true],
    ['https://auth.example', {}, 'https://auth.example/', false],
    ['https://auth.example', {}, 'https://evil.example', false],
    ['https://auth.example', says, null, false],
    ['https://auth.example', says, 'https://auth.example', true],
    [null, {}, null, true],
    [null, {}, 'https://auth.example', false],
  ])('for %s, the answer %j and %s: %s', (issuer, more, iss, isOfIt) => {
    expect(isAnswerOfIssuer(found(issuer, more), iss)).toBe(isOfIt);
  });
});
