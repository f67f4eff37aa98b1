import { describe, expect, it } from '@jest/globals';
import { figure } from './figure.mjs';

describe('figure', () => {
  it.each([
    { value: 1, aim: { atLeast: 1 }, isMet: true },
    { value: 0.99, aim: { atLeast: 1 }, isMet: false },
    { value: 5, aim: { atMost: 5 }, isMet: true },
    { value: 5.1, aim: { atMost: 5 }, isMet: false },
    // An unmeasured value has not reached its aim.
    { value: Number.NaN, aim: { atLeast: 0 }, isMet: false },
    { value: Number.NaN, aim: { atMost: 100 }, isMet: false },
  ])('$value against $aim: met $isMet', ({ value, aim, isMet }) => {
    expect(figure('x', value, '', aim).aim?.isMet).toBe(isMet);
  });
});
