import { describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { submittedExecutionSchema } from './executions.dto.js';
import { hasResult, toSubmitted } from './execute.controller.js';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';

const message = { id: 5, role: 'assistant' as const, content: 'こんにちは', data: {} };
const view = anExecutionView({
  result: { message, citations: [] },
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.01' },
});

describe('the answer to a client that waited', () => {
  it('has agent, session, message and usage where S3 has them (S3-15, S3-20, S3-21, S3-25)', () => {
    const answer = toSubmitted(view);
    expect(hasResult(view, null)).toBe(true);
    expect(answer).toEqual({ ...view, execution_id: view.id });
    expect(answer).toMatchObject({
      agent_id: 1,
      session_uuid: '0190a000-0000-7000-8000-0000000000aa',
      result: { message, citations: [] },
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.01' },
      status: 'completed',
      incomplete_details: null,
    });
    expect(submittedExecutionSchema.strict().safeParse(answer).success).toBe(true);
  });

  it('is what there is of an incomplete one, and says why (S3-20)', () => {
    const incomplete_details = { reason: 'timeout' as const };
    const incomplete: ExecutionView = { ...view, status: 'incomplete', incomplete_details };
    expect(hasResult(incomplete, null)).toBe(true);
    expect(toSubmitted(incomplete)).toMatchObject({
      status: 'incomplete',
      incomplete_details,
      result: { message },
    });
  });

  const error = { code: 'SDK_ERROR', message: 'the model provider refuses the API key' };
  const failed: ExecutionView = { ...view, status: 'failed', result: null, error };

  it('is an error with the code of a failed one, and names it (S3-31)', () => {
    for (const handling of [null, 'strict'] as const) {
      expect(() => hasResult(failed, handling)).toThrow(
        expect.objectContaining({ code: 'SDK_ERROR', message: error.message, executionId: view.id }),
      );
    }
  });

  it('is a failed one as it is where the client asked for lenient handling', () => {
    expect(hasResult(failed, 'lenient')).toBe(true);
  });

  it.each(['queued', 'running', 'requires_action', 'cancelled'] as const)(
    'is not there yet, or never will be, of one that is %s (S3-20)',
    (status) => {
      expect(hasResult({ ...view, status, result: null }, 'lenient')).toBe(false);
    },
  );
});
