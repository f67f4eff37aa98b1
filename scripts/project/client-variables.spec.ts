import { expect, it } from '@jest/globals';
import { clientVariables } from './client-variables.ts';

it.each([
  ['at the default address without a key', 'http://127.0.0.1:3000', null, []],
  [
    'on another port',
    'http://127.0.0.1:3003',
    null,
    ['  address  export CAPSTAN_BASE_URL=http://127.0.0.1:3003'],
  ],
  [
    'on another host',
    'http://127.0.0.2:3000',
    null,
    ['  address  export CAPSTAN_BASE_URL=http://127.0.0.2:3000'],
  ],
  ['with a key', 'http://127.0.0.1:3000', 'csk_1', ['  key      export CAPSTAN_API_KEY=csk_1']],
])('names the variables that the commands need: %s', (_case, api, apiKey, lines) => {
  expect(clientVariables({ api, apiKey })).toEqual(lines);
});
