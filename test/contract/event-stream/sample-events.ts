import type { ExecutionEvent } from '#libs/payloads';

export function textDelta(content: string): ExecutionEvent {
  return { event: 'text_delta', data: { content, round: 1 } };
}

/** `count` text deltas with the contents `<label> 0`, `<label> 1`, … */
export function textDeltas(count: number, label = 'part'): ExecutionEvent[] {
  return Array.from({ length: count }, (_unused, index) => textDelta(`${label} ${index}`));
}

/** The last event of a completed execution, with every field filled. */
export function resultOf(executionId: string): ExecutionEvent {
  return {
    event: 'result',
    data: {
      id: executionId,
      agent_id: 1,
      agent_version: 1,
      session_uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
      turn_number: 3,
      status: 'completed',
      attempt: 1,
      result: {
        message: { id: 12, role: 'assistant', content: 'saved', data: { savedOrderRequestId: 7 } },
        citations: [
          { datasource_id: 1, chunk_id: 9, title: 'a', score: 0.25, rank: 1, snippet: 'It begins so...' },
        ],
      },
      required_action: null,
      waiting_for: null,
      incomplete_details: null,
      error: null,
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.00012' },
      execution_metadata: { rounds: 1 },
      metadata: { order: 'A-1' },
      created_at: '2026-01-02T03:04:05.678Z',
      started_at: '2026-01-02T03:04:05.700Z',
      finished_at: '2026-01-02T03:04:06.000Z',
      restored_at: null,
      is_error: false,
      errors: [],
      num_turns: 1,
      duration_ms: 300,
      session_id: executionId,
      title_pending: false,
    },
  };
}
