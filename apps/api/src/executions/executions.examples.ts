import type { ExecuteRequest, ExecutionStatus, ExecutionView, ExecutionWithRequest } from '#libs/payloads';
import type { RunStepView } from '#libs/persistence';

/** OpenAPI examples of executions: one execution that called a tool, in each status. */
const WAITING_CALL = {
  call: '1.0',
  asks: 'approval',
  tool_name: 'refund_payment',
  tool_input: { payment: 'P-1007', amount: '12.50' },
} as const;

const COMPLETED: ExecutionView = {
  id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  agent_id: 7,
  agent_version: 3,
  session_uuid: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e00',
  turn_number: 1,
  status: 'completed',
  attempt: 1,
  result: {
    message: { id: 12, role: 'assistant', content: 'Your parcel arrives on Friday.', data: {} },
    citations: [],
  },
  required_action: null,
  waiting_for: null,
  incomplete_details: null,
  error: null,
  usage: { input_tokens: 412, output_tokens: 31, total_tokens: 443, total_cost_usd: '0.00131' },
  execution_metadata: {},
  metadata: { ticket: 'T-42' },
  created_at: '2026-11-22T09:00:00.000Z',
  started_at: '2026-11-22T09:00:00.120Z',
  finished_at: '2026-11-22T09:00:03.480Z',
  restored_at: null,
};

const IN_STATUS: Readonly<Record<ExecutionStatus, Partial<ExecutionView>>> = {
  queued: {
    result: null,
    usage: null,
    attempt: 0,
    started_at: null,
    finished_at: null,
    waiting_for: {
      kind: 'tool_server',
      name: 'crm',
      since: '2026-11-22T09:00:00.120Z',
      next_try_at: '2026-11-22T09:00:04.020Z',
      deadline_at: '2026-11-22T09:05:00.120Z',
      message: 'the tool server crm cannot be used: the server cannot be reached',
    },
  },
  running: { result: null, usage: null, finished_at: null },
  requires_action: {
    result: null,
    usage: null,
    finished_at: null,
    required_action: { calls: [WAITING_CALL], expires_at: '2026-11-23T09:00:00.000Z' },
    waiting_for: {
      kind: 'approval',
      name: 'refund_payment',
      since: '2026-11-22T09:00:02.000Z',
      next_try_at: null,
      deadline_at: '2026-11-23T09:00:00.000Z',
      message: 'a person has to agree to a call of refund_payment',
    },
  },
  completed: {},
  incomplete: { incomplete_details: { reason: 'max_output_tokens' } },
  failed: {
    result: null,
    error: { code: 'SDK_ERROR', message: 'the provider refused the request: the key is not valid' },
  },
  cancelled: { result: null, error: { code: 'CANCELLED', message: 'the execution was cancelled' } },
};

export function executionExample(status: ExecutionStatus): ExecutionView {
  return { ...COMPLETED, status, ...IN_STATUS[status] };
}

export const EXECUTION_WITH_REQUEST_EXAMPLE: ExecutionWithRequest = {
  ...executionExample('completed'),
  input: 'Where is my parcel?',
  input_truncated: false,
  executor: { user_id: 'u7', name: 'Mara' },
  options: {},
  model: 'a-model',
};

export const EXECUTE_REQUEST_EXAMPLE = {
  input: 'Where is my parcel?',
  metadata: { ticket: 'T-42' },
} satisfies Partial<ExecuteRequest>;

export const RUN_STEP_EXAMPLE = {
  scope: '',
  round: 1,
  position: 0,
  attempt: 1,
  call_id: 'call_Yz1',
  tool_name: 'find_parcel',
  input: { code: 'P-1007' },
  sent_input: null,
  output: { status: 'success', result: { message: 'It arrives on Friday.' } },
  status: 'succeeded',
  error: null,
  started_at: '2026-11-22T09:00:01.310Z',
  finished_at: '2026-11-22T09:00:01.420Z',
  decisions: [
    {
      asked: 'approval',
      approved: true,
      outcome: null,
      reason: '',
      decided_by: { key_id: '0123456789abcdef', person: 'ann@example.com' },
      decided_at: '2026-11-22T09:00:01.120Z',
    },
  ],
  late_evidence: [] as [],
} satisfies RunStepView;

export const DECISIONS_EXAMPLE = {
  person: 'ann@example.com',
  decisions: [{ call: WAITING_CALL.call, approved: false, reason: 'the parcel was delivered' }],
};
