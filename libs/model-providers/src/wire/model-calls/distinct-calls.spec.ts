import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { distinctCalls } from './distinct-calls.js';

const call = (id: string, given: string) => ({ id, name: 'weather', arguments: given });

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the calls of one answer', () => {
  it('are not read where each has an id of its own: arguments may be a megabyte', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const calls = [call('a', '{'), call('b', '{}'), call('', '{'), call(' ', '{}')];
    expect(distinctCalls(calls)).toEqual([
      ...[call('a', '{'), call('b', '{}'), call('call_3', '{'), call('call_4', '{}')],
    ]);
    expect(parse).not.toHaveBeenCalled();
  });

  it('give the place of a broken one to the whole one of its id (3.B-9)', () => {
    const calls = [call('a', '{"x":'), call('b', '{'), call('a', '{"x":1}'), call('a', '{"x":2}')];
    expect(distinctCalls(calls)).toEqual([call('a', '{"x":1}'), call('b', '{'), call('a_3', '{"x":2}')]);
  });
});
