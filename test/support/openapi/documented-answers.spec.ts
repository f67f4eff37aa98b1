import { expect, it } from '@jest/globals';
import { assertDocumented, assertDocumentedEvent } from './documented-answers.js';

const HEALTHY = { status: 200, mediaType: 'application/json', text: '{"status":"ok"}' };
const PROBLEM = {
  status: 404,
  mediaType: 'application/problem+json',
  text: JSON.stringify({
    ...{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'no', code: 'NOT_FOUND' },
    request_id: 'r',
  }),
};

it.each([
  ['as documented', 'GET', '/healthz', HEALTHY],
  ['without its last slash, with a query', 'GET', '/api/agents/7?x=1', PROBLEM],
  ['of a path that is not documented', 'GET', '/api/nothing/', PROBLEM],
  ['of a page', 'GET', '/docs/', { status: 200, mediaType: 'text/html', text: '<html>' }],
] as const)('lets an answer pass %s', (_name, method, path, answer) => {
  expect(() => assertDocumented(method, path, answer)).not.toThrow();
});

it.each([
  [
    'a forged body',
    'GET',
    '/healthz',
    { ...HEALTHY, text: '{"status":"fine"}' },
    /GET \/healthz is not as .* body\/status/s,
  ],
  [
    'a status that is not documented',
    'GET',
    '/healthz',
    { ...HEALTHY, status: 202 },
    /status 202 is not documented/,
  ],
  [
    'a problem of a route that says it never has it',
    'GET',
    '/api/models/',
    PROBLEM,
    /status 404 is not documented/,
  ],
  [
    'an error off the routes that is no problem',
    'GET',
    '/api/nothing/',
    { ...PROBLEM, text: '{}' },
    /another body/,
  ],
] as const)('refuses %s', (_name, method, path, answer, words) => {
  expect(() => assertDocumented(method, path, answer)).toThrow(words);
});

it('refuses an event that is not documented', () => {
  expect(() => assertDocumentedEvent({ id: '1', event: 'oracle', data: '{}' })).toThrow(/oracle/);
});
