import type { ExecutionContext } from '#libs/agent-core';

/** An ordinary context; a test overrides the fields that matter to it. */
export function anExecutionContext(overrides: Partial<ExecutionContext> = {}): ExecutionContext {
  return {
    executionId: '0190a000-0000-7000-8000-000000000001',
    tenantId: 'default',
    agentId: 1,
    sessionId: '0190a000-0000-7000-8000-0000000000aa',
    turnNumber: 1,
    attempt: 1,
    epoch: 1,
    followsLostAttempt: false,
    isSuspect: false,
    model: 'a-model',
    parameters: {},
    tools: [],
    instruction: null,
    newSystemPrompt: null,
    history: [],
    conversation: null,
    input: 'hello',
    additionalData: {},
    inputContext: '',
    preparation: null,
    ...overrides,
  };
}
