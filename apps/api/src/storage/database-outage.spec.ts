import { describe, expect, it } from '@jest/globals';
import { QueryFailedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isDatabaseOutage } from './database-outage.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('an outage of the database', () => {
  it.each([
    ['a connection that is refused', refused],
    ['one that is refused during a statement', new QueryFailedError('SELECT 1', [], refused)],
    [
      'one that breaks between two statements of a transaction',
      new QueryRunnerProviderAlreadyReleasedError(),
    ],
  ])('is %s', (_name, error) => {
    expect(isDatabaseOutage(error)).toBe(true);
  });

  it('is not a statement that is wrong', () => {
    expect(isDatabaseOutage(new QueryFailedError('SELEC', [], new Error('syntax error')))).toBe(false);
  });
});
