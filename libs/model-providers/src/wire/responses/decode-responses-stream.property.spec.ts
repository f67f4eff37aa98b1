import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';

const codeUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0xd83c, 0xdf4e, 0x41)), {
    maxLength: 40,
  })
  .map((codes) => String.fromCharCode(...codes));

/** Positions at which a text is cut; those beyond its end have no effect. */
const cuts = fc.array(fc.nat(40), { maxLength: 8 });

function pieces(whole: string, positions: readonly number[]): string[] {
  const sorted = [0, ...positions.toSorted((a, b) => a - b), whole.length];
  return sorted.slice(1).map((end, index) => whole.slice(sorted[index], Math.max(end, sorted[index] ?? 0)));
}

function decode(events: readonly unknown[]) {
  const decoder = new ResponsesStreamDecoder();
  const deltas = events.flatMap((event) => decoder.push(event));
  const shown = (kind: string) =>
    deltas
      .filter((delta) => delta.kind === kind)
      .map((delta) => (delta.kind === 'tool_call' ? '' : delta.content))
      .join('');
  return { text: shown('text'), thinking: shown('thinking'), ending: decoder.ending };
}

describe('ResponsesStreamDecoder, however the provider cuts its answer', () => {
  it('reports the same text, thinking and calls, and every piece it shows can be stored', () => {
    fc.assert(
      fc.property(codeUnits, codeUnits, codeUnits, cuts, cuts, cuts, (thinking, args, text, a, b, c) => {
        const events = (x: number[], y: number[], z: number[]) => [
          ...pieces(thinking, x).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
          ...pieces(args, y).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            item_id: 'f',
            delta,
          })),
          {
            type: 'response.output_item.done',
            item: { type: 'function_call', id: 'f', call_id: 'c', name: 'n' },
          },
          ...pieces(text, z).map((delta) => ({ type: 'response.output_text.delta', delta })),
          { type: 'response.completed', response: { output: [] } },
        ];
        const cut = decode(events(a, b, c));
        expect(cut).toEqual(decode(events([], [], [])));
        expect(cut.ending).toMatchObject({ answer: { text: cut.text, thinking: cut.thinking } });
        expect(cut.text.isWellFormed() && !cut.text.includes('\u0000')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never throws, for any events', () => {
    const event = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom(
          'response.output_text.delta',
          'response.output_item.added',
          'response.output_item.done',
          'response.function_call_arguments.delta',
          'response.completed',
          'response.incomplete',
          'response.failed',
          'error',
        ),
        delta: fc.anything(),
        item: fc.anything(),
        response: fc.anything(),
        code: fc.anything(),
      }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        decode(events);
      }),
      { numRuns: 1_000 },
    );
  });
});
