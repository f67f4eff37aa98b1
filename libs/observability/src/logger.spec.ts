import { expect, it } from '@jest/globals';
import { describeError } from './logger.js';

it('keeps what operators need and nothing of what a statement was asked with', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (name)=(secret text)',
  });
  const error = Object.assign(new Error('statement failed', { cause }), {
    parameters: ['secret text'],
    query: 'INSERT',
  });
  const described = describeError(error);
  expect(described).toMatchObject({
    type: 'Error',
    message: 'statement failed',
    cause: { code: '23505', message: 'duplicate key' },
  });
  expect(JSON.stringify(described)).not.toContain('secret text');
});

it('says no more of what is no error', () => {
  expect(describeError({ password: 'x' })).toEqual({ type: 'object' });
});
