import { describe, expect, it } from '@jest/globals';
import { readChallenge } from './challenge.js';

const METADATA = 'https://crm.example/.well-known/oauth-protected-resource';

describe('readChallenge', () => {
  it.each<[number, string | null, object | null]>([
    [200, 'Bearer scope="a"', null],
    [404, 'Bearer scope="a"', null],
    [401, null, { status: 401, scope: null, resourceMetadata: null }],
    [401, 'Basic realm="a"', { status: 401, scope: null, resourceMetadata: null }],
    [
      401,
      `Bearer scope="a b", resource_metadata="${METADATA}"`,
      { status: 401, scope: 'a b', resourceMetadata: METADATA },
    ],
    [401, 'Bearer resource_metadata="no address"', { status: 401, scope: null, resourceMetadata: null }],
    [
      403,
      'Bearer error="insufficient_scope", scope="c"',
      { status: 403, scope: 'c', resourceMetadata: null },
    ],
    [403, 'Bearer error="invalid_token"', null],
    [403, null, null],
  ])('for %i with %j is %j', (status, header, challenge) => {
    const headers = header === null ? {} : { 'www-authenticate': header };
    expect(readChallenge(new Response(null, { status, headers }))).toEqual(challenge);
  });
});
