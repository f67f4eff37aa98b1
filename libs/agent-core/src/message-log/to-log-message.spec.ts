import { describe, expect, it } from '@jest/globals';
import type { ExecutionResult } from '#libs/payloads';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { factMessage, initMessage, resultMessage, userMessage } from './to-log-message.js';

describe('the messages of the log (S4-21 … S4-27, 3.I-21)', () => {
  it('begin with what the user said and with the engine session', () => {
    expect(userMessage('hello')).toEqual({ type: 'user', subtype: null, content: { text: 'hello' } });
    expect(initMessage('s1')).toEqual({ type: 'system', subtype: 'init', content: { session_id: 's1' } });
  });

  it('show thoughts, text and calls of an answer in this order, texts of inputs cut', () => {
    const toolCalls = [
      aCall('look', 'c1', { where: 'w'.repeat(501), deep: [{ n: 1, t: 't' }] }),
      aCall('look', 'c2', '{broken'),
    ];
    const answer = aModelAnswer({ thinking: 'hm', text: 'I look.', toolCalls });
    expect(factMessage({ kind: 'model_call_completed', round: 1, answer, latencyMs: 1 }, 'c0', null)).toEqual(
      {
        type: 'assistant',
        subtype: null,
        content: {
          content_blocks: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'I look.' },
            {
              type: 'tool_use',
              tool_use_id: 'c1',
              tool_name: 'look',
              tool_input: { where: `${'w'.repeat(500)}...`, deep: [{ n: 1, t: 't' }] },
            },
            { type: 'tool_use', tool_use_id: 'c2', tool_name: 'look', tool_input: '{broken' },
          ],
        },
      },
    );
  });

  it.each([
    [{ status: 'succeeded', output: 'o'.repeat(501), result: {} } as const, `${'o'.repeat(500)}...`, false],
    [{ status: 'failed', output: 'no', error: 'secret of the audit' } as const, 'no', true],
    [{ status: 'refused', output: 'not allowed' } as const, 'not allowed', true],
  ])('show what came of a call: %j', (outcome, content, is_error) => {
    const fact = { kind: 'tool_call_settled', round: 1, position: 0, outcome } as const;
    expect(factMessage(fact, 'c1', null)).toEqual({
      type: 'user_result',
      subtype: null,
      content: { content_blocks: [{ type: 'tool_result', tool_use_id: 'c1', content, is_error }] },
    });
  });

  it('show nothing of what a result says to the model (S2-20), and cut what it holds beside', () => {
    const result = { message: 'Ask for the date next.', id: 7, note: 'n'.repeat(600) };
    const output = JSON.stringify({ status: 'success', result });
    const outcome = { status: 'succeeded', output, result: {} } as const;
    const shown = factMessage({ kind: 'tool_call_settled', round: 1, position: 0, outcome }, 'c1', null);
    const content = `${JSON.stringify({ status: 'success', result: { id: 7, note: result.note } }).slice(0, 500)}...`;
    expect(shown).toMatchObject({ content: { content_blocks: [{ content }] } });
  });

  it('have none for any other fact', () => {
    expect(factMessage({ kind: 'tool_call_started', round: 1, position: 0 }, 'c1', null)).toBeNull();
    expect(factMessage({ kind: 'cancellation_requested' }, 'c1', null)).toBeNull();
  });

  it.each([
    [false, 'success', 'done'],
    [true, 'error_during_execution', null],
  ])('end with how it went, is_error %s: %s', (is_error, subtype, text) => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, total_cost_usd: '0.5' };
    const errors = is_error ? [{ code: 'SDK_ERROR', message: 'no' }] : [];
    const known = { usage, num_turns: 2, duration_ms: 7, session_id: 's1', is_error, errors };
    const result = { message: { id: 1, role: 'assistant', content: 'done', data: {} }, citations: [] };
    const message = resultMessage({ ...known, result } as unknown as ExecutionResult);
    expect(message).toEqual({
      type: 'result',
      subtype,
      content: { ...known, result: text, total_cost_usd: '0.5' },
    });
  });
});
