import { describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import fc from 'fast-check';
import { toResponsesInput } from './to-responses-input.js';
import type { ResponsesInputItem } from './responses-request.js';

/** Few ids, so that they collide; texts of arbitrary code units, so that surrogates are split. */
const id = fc.constantFrom('a', 'b', 'c', '', ' ', 'a\u0000', '\ud800');
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\udc00x', 'x\ud83d'),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
);
const providerItem = fc.oneof(
  fc.record({ type: fc.constant('reasoning'), id: text, summary: fc.constant([]), encrypted_content: text }),
  fc.dictionary(fc.string(), fc.constantFrom('reasoning', 1, null)),
);
const message: fc.Arbitrary<PromptMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer', 'user'), content: text }),
  fc.record(
    {
      role: fc.constant('assistant'),
      content: text,
      toolCalls: fc.array(fc.record({ id, name: id, arguments: text }), { maxLength: 4 }),
      providerItems: fc.array(providerItem, { maxLength: 2 }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record({ role: fc.constant('tool'), toolCallId: id, content: text }),
);
const conversation = fc.array(message, { maxLength: 30 });

describe('toResponsesInput, for any conversation', () => {
  it('gives every call exactly one output, after it, and every output a call', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const open: string[] = [];
        for (const item of toResponsesInput(messages)) {
          if (field(item, 'type') === 'function_call') open.push(field(item, 'call_id'));
          if (field(item, 'type') === 'function_call_output') {
            const index = open.lastIndexOf(field(item, 'call_id'));
            expect(index).toBeGreaterThanOrEqual(0);
            open.splice(index, 1);
          }
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives texts that a provider and a database accept', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sent = JSON.stringify(
          toResponsesInput(messages).filter((item) => field(item, 'type') !== 'reasoning'),
        );
        expect(sent).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });

  it('never lets reasoning stand alone', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const items = toResponsesInput(messages);
        items.forEach((item, index) => {
          if (field(item, 'type') !== 'reasoning') return;
          const next = items[index + 1];
          expect(['reasoning', 'function_call', 'assistant']).toContain(
            next === undefined ? 'nothing' : field(next, 'type') || field(next, 'role'),
          );
        });
      }),
    );
  });

  it('loses no text', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const texts = messages.filter(({ role, content }) => role !== 'tool' && clean(content) !== '');
        const items = toResponsesInput(messages).filter((item) => field(item, 'role') !== '');
        expect(items).toHaveLength(texts.length);
      }),
    );
  });
});

function field(item: ResponsesInputItem, name: string): string {
  const value: unknown = Object.entries(item).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

function clean(content: string): string {
  return content.toWellFormed().replaceAll('\u0000', '');
}
