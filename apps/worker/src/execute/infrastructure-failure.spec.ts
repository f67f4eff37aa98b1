import { describe, expect, it } from '@jest/globals';
import { isInfrastructureFailure } from './infrastructure-failure.js';

describe('isInfrastructureFailure', () => {
  it.each([
    ['08006', true, 'the connection broke'],
    ['57P01', true, 'an administrator ended the session'],
    ['25P03', true, 'the transaction said nothing for too long'],
    ['23505', false, 'a unique index refused'],
    ['25P02', false, 'an earlier statement of the transaction had failed'],
  ])('SQLSTATE %s: %s, %s', (code, isTrouble) => {
    expect(isInfrastructureFailure(Object.assign(new Error('refused'), { code }))).toBe(isTrouble);
  });

  it('knows a connection that broke by its words', () => {
    expect(isInfrastructureFailure(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isInfrastructureFailure(new TypeError('x is not a function'))).toBe(false);
  });
});
