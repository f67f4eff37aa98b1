import { describe, expect, it } from '@jest/globals';
import { checkAdmission, limitsToCount, type Backlog } from './check-admission.js';

const LIMITS = { queued: 100, tenantQueued: 10, tenantWaitMs: 30_000 };
const CALM: Backlog = { queued: 99, tenantQueued: 9, tenantWaitMs: 29_999 };

describe('checkAdmission', () => {
  it.each<[string, Partial<Backlog>, string]>([
    ['below every limit', {}, 'admitted'],
    ['the tenant has as many as it may', { tenantQueued: 10 }, 'tenant_full'],
    ['all together have as many as they may', { queued: 100 }, 'overloaded'],
    ['the tenant waits too long', { tenantWaitMs: 30_000 }, 'overloaded'],
    ['the tenant is full and the service too', { tenantQueued: 10, queued: 100 }, 'tenant_full'],
  ])('%s', (_what, backlog, kind) => {
    expect(checkAdmission({ ...CALM, ...backlog }, LIMITS).kind).toBe(kind);
  });

  it.each([
    [0, 1],
    [200, 1],
    [4_001, 5],
    [3_600_000, 60],
  ])('after a wait of %d ms says to come back in %d s', (tenantWaitMs, retryAfterSeconds) => {
    expect(checkAdmission({ queued: 100, tenantQueued: 0, tenantWaitMs }, LIMITS)).toEqual({
      kind: 'overloaded',
      retryAfterSeconds,
    });
  });
});

describe('limitsToCount', () => {
  const far = { queued: 1_000_000, tenantQueued: 100_000, tenantWaitMs: 30_000 };

  it.each<[string, Partial<Backlog>, Partial<typeof far>, object | null]>([
    ['none far below all of them', {}, {}, null],
    ['a small one always', { tenantQueued: 0 }, { tenantQueued: 5 }, { queued: null, tenantQueued: 5 }],
    [
      'one of the tenant that comes near',
      { tenantQueued: 80_000 },
      {},
      { queued: null, tenantQueued: 100_000 },
    ],
    [
      'one of all tenants that comes near',
      { queued: 990_000 },
      {},
      { queued: 1_000_000, tenantQueued: null },
    ],
  ])('names %s', (_what, backlog, limits, counted) => {
    expect(limitsToCount({ ...CALM, ...backlog }, { ...far, ...limits })).toEqual(counted);
  });
});
