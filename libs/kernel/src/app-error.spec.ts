import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { isError } from './app-error.js';

describe('isError', () => {
  it.each<[string, unknown, boolean]>([
    ['an error', new TypeError('x'), true],
    ['an error of another realm', runInNewContext('new RangeError("x")'), true],
    ['an aborted request', AbortSignal.abort().reason, true],
    ['an object that looks like one', { name: 'Error', message: 'x', stack: 'x' }, false],
    ['a text', 'Error: x', false],
    ['null', null, false],
  ])('knows %s', (_name, value, expected) => {
    expect(isError(value)).toBe(expected);
  });
});
