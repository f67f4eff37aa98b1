import type { ExecutionView } from '#libs/payloads';

/** An execution as clients see it: by default completed in its first attempt, without result and usage. */
export function anExecutionView(overrides: Partial<ExecutionView> = {}): ExecutionView {
  return {
    id: '0190a000-0000-7000-8000-000000000001',
    agent_id: 1,
    agent_version: 1,
    session_uuid: '0190a000-0000-7000-8000-0000000000aa',
    turn_number: 1,
    status: 'completed',
    attempt: 1,
    result: null,
    required_action: null,
    waiting_for: null,
    incomplete_details: null,
    error: null,
    usage: null,
    execution_metadata: {},
    metadata: {},
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: '2026-01-01T00:00:01.000Z',
    finished_at: '2026-01-01T00:00:03.500Z',
    restored_at: null,
    ...overrides,
  };
}
