import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, type Problem } from '../client/index.js';
import { judgeClock, judgeKey, judgeReach, judgeReadiness, judgeVersion } from './doctor.js';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const refused = (status: number): ApiError =>
  new ApiError(status, { code: 'UNAUTHENTICATED', detail: 'no valid key' } as Problem, new Headers(), null);
const CALLER = {
  auth: 'api-key',
  tenant_id: 'acme',
  scopes: ['admin'],
  key_id: 'k',
  key_name: 'CI',
} as const;

describe('the findings of doctor', () => {
  it.each([
    ['a service', judgeReach({}, 'http://a'), 'ok'],
    ['no service', judgeReach(new ConnectionError('gone'), 'http://a'), 'failed'],
    ['a clock that is right', judgeClock('Sat, 28 Nov 2026 10:00:01 GMT', NOW), 'ok'],
    ['a clock of two minutes ago', judgeClock('Sat, 28 Nov 2026 09:58:00 GMT', NOW), 'warning'],
    ['no clock', judgeClock(null, NOW), 'warning'],
    ['a service that is ready', judgeReadiness({ status: 'ok' }), 'ok'],
    ['a service that is not', judgeReadiness(refused(503)), 'failed'],
    ['a key', judgeKey({ ...CALLER, scopes: ['admin'], session_id: null, expires_at: null }), 'ok'],
    ['a wrong key', judgeKey(refused(401)), 'failed'],
    ['the same version', judgeVersion({ info: { version: '0.1.7' } }, '0.1.0'), 'ok'],
    ['another version', judgeVersion({ info: { version: '0.2.0' } }, '0.1.0'), 'warning'],
    ['no version', judgeVersion(new Error('x'), '0.1.0'), 'warning'],
  ] as const)('%s is judged', (_name, check, outcome) => {
    expect(check.outcome).toBe(outcome);
  });

  it('comes with what to do where it failed', () => {
    expect(judgeReach(new ConnectionError('gone'), 'http://a').advice).toContain('CAPSTAN_BASE_URL');
    expect(judgeKey(refused(401)).advice).toContain('CAPSTAN_API_KEY');
    expect(judgeReadiness(refused(503)).advice).toContain('log of the API');
    expect(judgeVersion({ info: { version: '0.2.0' } }, '0.1.0').advice).toContain('capstan@0.2.0');
  });
});
