import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorKind, isError } from '#libs/kernel';
import { isInfrastructureFailure, type StorageFailure } from './storage-failure.js';

function appError(kind: ErrorKind, retryable: boolean): AppError {
  return new AppError({ code: 'SOME_CODE', kind, message: 'some words', retryable });
}

/** A store with one known outage code and no other failures. */
function classify(error: unknown): StorageFailure {
  const isTrouble = isError(error) && 'code' in error && error.code === 'AWAY';
  return isTrouble ? { kind: 'outage', mayHaveCommitted: false } : { kind: 'ours' };
}

describe('isInfrastructureFailure', () => {
  it.each<[string, unknown, boolean]>([
    ['a service that is away', appError('unavailable', true), true],
    ['one that does not answer', appError('timeout', true), true],
    ['one that stays away', appError('unavailable', false), false],
    ['a fault of ours', appError('internal', true), false],
    ['a store in trouble', Object.assign(new Error('refused'), { code: 'AWAY' }), true],
    ['a store that refuses the data', Object.assign(new Error('refused'), { code: '23505' }), false],
    ['a mistake in the code', new TypeError('x is not a function'), false],
  ])('%s: %#', (_name, error, isInfrastructure) => {
    expect(isInfrastructureFailure(error, classify)).toBe(isInfrastructure);
  });
});
