import { describe, expect, it, jest } from '@jest/globals';
import { chosen, whenAllRun } from './selection.js';

const CASES = ['a', 'b', 'c'];
const isDaily = (one: string): boolean => one === 'b';

describe('the selection of tests', () => {
  it('has of a table the daily cases, and all of them where everything runs', () => {
    expect(chosen(CASES, isDaily, false)).toEqual(['b']);
    expect(chosen(CASES, isDaily, true)).toEqual(CASES);
  });

  it('has suites that are registered only where everything runs', () => {
    const register = jest.fn();
    whenAllRun(register, false);
    expect(register).not.toHaveBeenCalled();
    whenAllRun(register, true);
    expect(register).toHaveBeenCalledTimes(1);
  });
});
