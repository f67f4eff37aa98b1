import { expect, it } from '@jest/globals';
import type { Submitted } from '#libs/executions';
import { submissionRefused } from './executions.errors.js';

it.each<[Exclude<Submitted, { kind: 'submitted' | 'outdated' }>, string, string]>([
  [{ kind: 'session_busy' }, 'CONVERSATION_LOCKED', 'conflict'],
  [{ kind: 'session_not_found' }, 'NOT_FOUND', 'not_found'],
  [{ kind: 'session_archived' }, 'INACTIVE_RESOURCE', 'invalid_input'],
  [{ kind: 'gone' }, 'NOT_FOUND', 'not_found'],
])('a refused submission, %j, answers %s (S3-29, S4-36)', (refusal, code, kind) => {
  expect(submissionRefused(refusal)).toMatchObject({ code, kind });
});

it.each([
  [false, '5 executions of the tenant are waiting, the maximum (TENANT_QUEUE_LIMIT); try again later'],
  [
    true,
    '5 executions of the tenant are waiting, the maximum (limits.queued_executions of the tenant); try again later',
  ],
])('a full queue names the limit that it has reached, its own: %s', (isOwn, message) => {
  const refusal = { kind: 'tenant_full', retryAfterSeconds: 1, limit: { most: 5, isOwn } } as const;
  expect(submissionRefused(refusal)).toMatchObject({ code: 'QUEUE_FULL', kind: 'limit_exceeded', message });
});

it('a busy conversation is one to be tried again later (S4-36)', () => {
  expect(submissionRefused({ kind: 'session_busy' }).message).toContain('try again later');
});
