import type { Submission } from '#libs/executions';
import { v7 as uuid } from 'uuid';

/** A request to run the seeded agent in a new conversation. */
export function aSubmission(overrides: Partial<Submission> = {}): Submission {
  return {
    tenantId: 'default',
    agentId: 1,
    executionId: uuid(),
    sessionId: null,
    newSessionId: uuid(),
    sessionMetadata: {},
    request: { input: 'hello', options: {}, additional_data: {} },
    tokens: [],
    webhook: null,
    metadata: {},
    idempotency: null,
    checkedBy: null,
    ...overrides,
  };
}
