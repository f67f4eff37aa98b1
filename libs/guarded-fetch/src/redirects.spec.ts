import { describe, expect, it } from '@jest/globals';
import { nextHop, type Hop, type Redirect } from './redirects.js';

const SECRETS = {
  authorization: 'Bearer s',
  cookie: 's',
  'x-api-key': 's',
  'mcp-session-id': 's',
  accept: 'a/b',
};
const hop = (method: string, url = 'https://a.example/x', body: string | null = null): Hop => ({
  url: new URL(url),
  method,
  headers: new Headers({ ...SECRETS, ...(body === null ? {} : { 'content-type': 'text/plain' }) }),
  body: body === null ? null : new Uint8Array(Buffer.from(body)),
});

function shown(redirect: Redirect): unknown {
  if (redirect.kind !== 'follow') return redirect.kind;
  const { url, method, body, headers } = redirect.hop;
  return [method, url.href, body === null ? null : Buffer.from(body).toString(), [...headers.keys()]];
}

const ALL = ['accept', 'authorization', 'cookie', 'mcp-session-id', 'x-api-key'];
const WITH_TYPE = ['accept', 'authorization', 'content-type', 'cookie', 'mcp-session-id', 'x-api-key'];

describe('where a redirect leads', () => {
  it.each<[string, Hop, number, string | null, unknown]>([
    ['an answer is none', hop('GET'), 200, '/y', 'none'],
    ['not modified is none', hop('GET'), 304, '/y', 'none'],
    ['without an address it is none', hop('GET'), 302, null, 'none'],
    ['the same origin gets everything', hop('GET'), 302, '/y', ['GET', 'https://a.example/y', null, ALL]],
    [
      'a POST becomes a GET: 301',
      hop('POST', undefined, 'b'),
      301,
      '/y',
      ['GET', 'https://a.example/y', null, ALL],
    ],
    [
      'a POST becomes a GET: 302',
      hop('POST', undefined, 'b'),
      302,
      '/y',
      ['GET', 'https://a.example/y', null, ALL],
    ],
    [
      'everything becomes a GET: 303',
      hop('PUT', undefined, 'b'),
      303,
      '/y',
      ['GET', 'https://a.example/y', null, ALL],
    ],
    ['a HEAD stays one: 303', hop('HEAD'), 303, '/y', ['HEAD', 'https://a.example/y', null, ALL]],
    [
      'a PUT stays one: 302',
      hop('PUT', undefined, 'b'),
      302,
      '/y',
      ['PUT', 'https://a.example/y', 'b', WITH_TYPE],
    ],
    [
      'a body goes along: 307',
      hop('POST', undefined, 'b'),
      307,
      '/y',
      ['POST', 'https://a.example/y', 'b', WITH_TYPE],
    ],
    [
      'a body goes along: 308',
      hop('POST', undefined, 'b'),
      308,
      '/y',
      ['POST', 'https://a.example/y', 'b', WITH_TYPE],
    ],
    [
      'another host gets no credential',
      hop('GET'),
      302,
      'https://b.example/',
      ['GET', 'https://b.example/', null, ['accept']],
    ],
    [
      'nor does another port',
      hop('GET'),
      302,
      'https://a.example:444/',
      ['GET', 'https://a.example:444/', null, ['accept']],
    ],
    [
      'nor a host that is written like it',
      hop('GET'),
      307,
      '//a.example.b.example/',
      ['GET', 'https://a.example.b.example/', null, ['accept']],
    ],
    ['another host gets no body: 307', hop('POST', undefined, 'b'), 307, 'https://b.example/', 'refused'],
    ['another host gets no body: 308', hop('POST', undefined, 'b'), 308, 'https://b.example/', 'refused'],
    ['not from https to http', hop('GET'), 302, 'http://a.example/y', 'refused'],
    [
      'from http to https',
      hop('GET', 'http://a.example/'),
      301,
      'https://a.example/',
      ['GET', 'https://a.example/', null, ['accept']],
    ],
    ['not to a file', hop('GET'), 302, 'file:///etc/passwd', 'refused'],
    ['not with a password', hop('GET'), 302, 'https://u:p@a.example/', 'refused'],
    ['not to what is no address', hop('GET'), 302, 'http://[::1', 'refused'],
  ])('%s', (_name, from, status, location, expected) => {
    expect(shown(nextHop(from, status, location))).toEqual(expected);
  });
});

describe('where a redirect leads that may not leave its host', () => {
  it.each<[string, Hop, number, string, unknown]>([
    ['to another path, with everything', hop('GET'), 301, '/x/', ['GET', 'https://a.example/x/', null, ALL]],
    [
      'with its body: 308',
      hop('PATCH', undefined, 'b'),
      308,
      './y',
      ['PATCH', 'https://a.example/y', 'b', WITH_TYPE],
    ],
    [
      'to https, with everything',
      hop('POST', 'http://a.example/', 'b'),
      307,
      'https://a.example/',
      ['POST', 'https://a.example/', 'b', WITH_TYPE],
    ],
    ['not to another host', hop('GET'), 302, 'https://b.example/', 'none'],
    ['not to a host below it', hop('GET'), 302, 'https://b.a.example/', 'none'],
    ['not to another port', hop('GET'), 302, 'https://a.example:444/', 'none'],
    [
      'not to https on a port of its own',
      hop('GET', 'http://a.example:8080/'),
      302,
      'https://a.example/',
      'none',
    ],
    ['not to http', hop('GET'), 302, 'http://a.example/', 'none'],
    ['not with a password', hop('GET'), 302, 'https://u:p@a.example/', 'none'],
    ['not to what is no address', hop('GET'), 302, 'http://[::1', 'none'],
  ])('%s', (_name, from, status, location, expected) => {
    expect(shown(nextHop(from, status, location, 'same_host'))).toEqual(expected);
  });
});
