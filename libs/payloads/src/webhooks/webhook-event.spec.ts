import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ExecutionView } from '../executions/execution-view.js';
import { MAX_WEBHOOK_BYTES, toWebhookBody, webhookBodySchema } from './webhook-event.js';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';

const ID = '0198c0de-0000-7000-8000-000000000001';
const AT = '2026-01-02T03:04:05.678Z';
const VIEW = anExecutionView({
  id: ID,
  session_uuid: ID,
  result: { message: { id: 7, role: 'assistant', content: 'done', data: {} }, citations: [] },
});
const LONG = '発'.repeat(100_000);

function withMessage(message: object): ExecutionView {
  return {
    ...VIEW,
    result: { citations: [], message: { id: 7, role: 'assistant', content: 'done', data: {}, ...message } },
  };
}

function bodyOf(view: ExecutionView) {
  const text = toWebhookBody('execution.completed', view, AT);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_WEBHOOK_BYTES);
  return webhookBodySchema.parse(JSON.parse(text));
}

describe('the body of a webhook', () => {
  it('is the whole execution where that is short enough', () => {
    expect(bodyOf(VIEW)).toEqual({ type: 'execution.completed', timestamp: AT, data: VIEW });
  });

  it('is whole up to the last byte, and not beyond it', () => {
    const room = MAX_WEBHOOK_BYTES - Buffer.byteLength(toWebhookBody('execution.completed', VIEW, AT));
    const content = `done${'x'.repeat(room)}`;

    expect(bodyOf(withMessage({ content })).data).toEqual(withMessage({ content }));
    expect(bodyOf(withMessage({ content: `${content}x` })).data.truncated).toBe(true);
  });

  it('has the beginning of a long text, and says where the rest is', () => {
    const { data } = bodyOf(withMessage({ content: LONG }));

    expect(data).toMatchObject({
      truncated: true,
      result_url: `/api/executions/${ID}/`,
      status: 'completed',
    });
    expect(data.result?.message.content).toMatch(/^発{6000,}\n\[the rest was cut off]$/);
  });

  it.each<[string, Partial<ExecutionView>]>([
    ['execution_metadata', { execution_metadata: { sources: LONG } }],
    ['data of the message', withMessage({ data: { report: { text: LONG } } })],
    [
      'metadata',
      { metadata: Object.fromEntries([...LONG.slice(0, 16)].map((_, i) => [`k${i}`, '発'.repeat(512)])) },
    ],
    ['error', { result: null, status: 'failed', error: { code: 'SDK_ERROR', message: LONG } }],
    [
      'inputs of waiting calls',
      {
        result: null,
        status: 'requires_action',
        required_action: {
          expires_at: AT,
          calls: Array.from({ length: 64 }, (_, place) => ({
            call: `1.${place}`,
            asks: 'approval' as const,
            tool_name: 'charge_customer',
            tool_input: { note: LONG },
          })),
        },
      },
    ],
  ])('leaves out a long part: %s', (_name, part) => {
    const { data } = bodyOf({ ...VIEW, ...part });

    expect(data.truncated).toBe(true);
    if (part.required_action) expect(data.required_action?.calls).toHaveLength(64);
  });

  it('keeps a short answer whole beside a long part', () => {
    const { data } = bodyOf({ ...VIEW, execution_metadata: { sources: LONG } });

    expect(data.result?.message.content).toBe('done');
  });

  it('is never too long, and never splits a character', () => {
    const text = fc.string({ unit: 'grapheme', size: 'max', maxLength: 30_000 });
    fc.assert(
      fc.property(text, text, (content, note) => {
        const { data } = bodyOf({
          ...withMessage({ content: content.repeat(9) }),
          execution_metadata: { note },
        });
        expect(data.result?.message.content.isWellFormed()).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
