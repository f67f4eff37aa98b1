import type { Claim } from '#libs/executions';

/** The first claim of an ordinary execution; a test overrides the fields that matter to it. */
export function aClaim(overrides: Partial<Claim> = {}): Claim {
  return {
    executionId: '0190a000-0000-7000-8000-000000000001',
    tenantId: 'default',
    agentId: 1,
    sessionId: '0190a000-0000-7000-8000-0000000000aa',
    turnNumber: 1,
    attempt: 1,
    epoch: 1,
    token: '0190a000-0000-7000-8000-0000000000bb',
    remainingMs: 300_000,
    timeoutMs: 300_000,
    claimedAtMs: 0,
    startedAtMs: 0,
    restoredAtMs: null,
    waitingFor: null,
    accepted: { agentVersion: 1, createdAtMs: 0, metadata: {} },
    messageIds: [1, 2, 3],
    request: { input: 'hello', options: {}, additional_data: {} },
    isCancelled: false,
    isSuspect: false,
    needsFreshProcess: false,
    followsLostAttempt: false,
    ...overrides,
  };
}
