import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorKind } from '#libs/kernel';
import { isInfrastructureFailure } from './infrastructure-failure.js';

function appError(kind: ErrorKind, retryable: boolean): AppError {
  return new AppError({ code: 'SOME_CODE', kind, message: 'some words', retryable });
}

describe('isInfrastructureFailure', () => {
  it.each<[string, unknown, boolean]>([
    ['a service that is away', appError('unavailable', true), true],
    ['one that does not answer', appError('timeout', true), true],
    ['one that stays away', appError('unavailable', false), false],
    ['a fault of ours', appError('internal', true), false],
    ['a database that has no room', Object.assign(new Error('refused'), { code: '53100' }), true],
    ['a transaction that was in the way', Object.assign(new Error('refused'), { code: '40P01' }), true],
    ['a statement that is wrong', Object.assign(new Error('refused'), { code: '23505' }), false],
    ['a mistake in the code', new TypeError('x is not a function'), false],
  ])('%s: %#', (_name, error, isInfrastructure) => {
    expect(isInfrastructureFailure(error)).toBe(isInfrastructure);
  });
});
