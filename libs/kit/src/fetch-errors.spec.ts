import { expect, it } from '@jest/globals';
import { wasNeverSent } from './fetch-errors.js';

const failing = (code: string): Error => Object.assign(new Error('no answer'), { code });

it.each<[string, unknown, boolean]>([
  ['a server that is not reached', failing('FETCH_NOT_REACHED'), true],
  ['a blocked address', failing('FETCH_NOT_SENT'), true],
  ['a broken connection', failing('FETCH_BROKE_OFF'), false],
  ['an answer that is too long', failing('FETCH_IN_VAIN'), false],
  ['an error without a code', new TypeError('invalid URL'), false],
  ['no error', { code: 'FETCH_NOT_SENT' }, false],
])('wasNeverSent: %s', (_name, thrown, expected) => {
  expect(wasNeverSent(thrown)).toBe(expected);
});
