import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#libs/kernel';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';

type Item =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'message'; readonly texts: readonly string[] }
  | { readonly kind: 'call'; readonly arguments: string };

/** In what a server differs from OpenAI, each known of one. */
const deviations = fc.record({
  /** Ids of events and items: as OpenAI has them, another one with every event, or none. */
  ids: fc.constantFrom('stable', 'changing', 'none'),
  index: fc.constantFrom('right', 'none'),
  /** How the arguments of calls arrive. */
  written: fc.constantFrom('everywhere', 'pieces', 'argumentsDone', 'itemDone'),
  reportsTextsDone: fc.boolean(),
  itemsDone: fc.constantFrom('once', 'twice', 'none'),
  finalOutput: fc.constantFrom('whole', 'empty', 'without calls'),
  sharesCallIds: fc.boolean(),
});
type Deviations = typeof deviations extends fc.Arbitrary<infer T> ? T : never;

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({ kind: fc.constant('reasoning' as const), text }),
  fc.record({ kind: fc.constant('message' as const), texts: fc.array(text, { minLength: 1, maxLength: 2 }) }),
  fc.record({
    kind: fc.constant('call' as const),
    arguments: fc
      .dictionary(fc.string({ maxLength: 3 }), text, { minKeys: 1, maxKeys: 2 })
      .map((data) => JSON.stringify(data)),
  }),
);
const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });

function pieces(whole: string, lengths: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < whole.length;) {
    const end = at + (lengths[found.length % lengths.length] ?? 1);
    found.push(whole.slice(at, end));
    at = end;
  }
  return found;
}

const callIdOf = (at: number, how: Deviations) => (how.sharesCallIds ? 'call' : `call_${at}`);

function wholeItem(one: Item, at: number, how: Deviations): JsonObject {
  if (one.kind === 'reasoning')
    return { type: 'reasoning', summary: [{ type: 'summary_text', text: one.text }] };
  if (one.kind === 'message')
    return { type: 'message', content: one.texts.map((said) => ({ type: 'output_text', text: said })) };
  const written = how.written === 'everywhere' || how.written === 'itemDone' ? one.arguments : '';
  return { type: 'function_call', call_id: callIdOf(at, how), name: `n${at}`, arguments: written };
}

function eventsOf(items: readonly Item[], lengths: readonly number[], how: Deviations): JsonObject[] {
  let count = 0;
  const events = items.flatMap((one, at) => {
    const idOf = () => (how.ids === 'stable' ? `item_${at}` : `item_${at}_${(count += 1)}`);
    const place = (more: JsonObject) => ({
      ...more,
      ...(how.ids !== 'none' && { item_id: idOf() }),
      ...(how.index === 'right' && { output_index: at }),
    });
    const reported = (whole: JsonObject) => ({
      item: { ...whole, ...(how.ids !== 'none' && { id: idOf() }) },
      ...(how.index === 'right' && { output_index: at }),
    });
    const whole = wholeItem(one, at, how);
    const begun = {
      type: 'response.output_item.added',
      ...reported({ ...whole, content: [], summary: [], arguments: '' }),
    };
    const done = { type: 'response.output_item.done', ...reported(whole) };
    const ends = how.itemsDone === 'none' ? [] : how.itemsDone === 'once' ? [done] : [done, done];
    return [begun, ...inside(one, lengths, how, place), ...ends];
  });
  const output = items.flatMap((one, at) => {
    if (how.finalOutput === 'empty' || (how.finalOutput === 'without calls' && one.kind === 'call'))
      return [];
    return [{ ...wholeItem(one, at, how), ...(how.ids === 'stable' && { id: `item_${at}` }) }];
  });
  return [...events, { type: 'response.completed', response: { id: 'r', status: 'completed', output } }];
}

function inside(
  one: Item,
  lengths: readonly number[],
  how: Deviations,
  place: (more: JsonObject) => JsonObject,
): JsonObject[] {
  if (one.kind === 'call') {
    const named = 'response.function_call_arguments';
    const parts = pieces(one.arguments, lengths).map((delta) => place({ type: `${named}.delta`, delta }));
    const end = place({ type: `${named}.done`, arguments: one.arguments });
    if (how.written === 'everywhere') return [...parts, end];
    if (how.written === 'pieces') return parts;
    return how.written === 'argumentsDone' ? [end] : [];
  }
  const isMessage = one.kind === 'message';
  const type = isMessage ? 'response.output_text' : 'response.reasoning_summary_text';
  const texts = isMessage ? one.texts : [one.text];
  return texts.flatMap((said, at) => {
    const index = isMessage ? { content_index: at } : { summary_index: at };
    const parts = pieces(said, lengths).map((delta) => place({ type: `${type}.delta`, delta, ...index }));
    return how.reportsTextsDone ? [...parts, place({ type: `${type}.done`, text: said, ...index })] : parts;
  });
}

function decode(events: readonly JsonObject[]) {
  const decoder = new ResponsesStreamDecoder();
  const deltas = events.flatMap((event) => decoder.push(event));
  const shown = deltas.map((delta) => (delta.kind === 'text' ? delta.content : '')).join('');
  return { shown, ending: decoder.ending };
}

/** Arguments that are nowhere whole, because only `itemDone` has them and there is none, cannot be put together. */
const isLost = (how: Deviations) =>
  how.written === 'itemDone' && how.itemsDone === 'none' && how.finalOutput !== 'whole';

describe('ResponsesStreamDecoder, however a server differs', () => {
  it('puts the same answer together, or says that it cannot', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), cuts, deviations, (items, lengths, how) => {
        fc.pre(!isLost(how));
        const { shown, ending } = decode(eventsOf(items, lengths, how));
        if (ending?.kind === 'failed') return;
        const texts = items.flatMap((one) => (one.kind === 'message' ? one.texts : []));
        const calls = items.flatMap((one, at) => (one.kind === 'call' ? [[`n${at}`, one.arguments]] : []));
        const answer = ending?.answer;
        expect(answer?.text).toBe(texts.join('\n').toWellFormed().replaceAll('\u0000', ''));
        expect(shown).toBe(answer?.text);
        expect(answer?.toolCalls.map((call) => [call.name, call.arguments])).toEqual(calls);
        expect(new Set(answer?.toolCalls.map(({ id }) => id)).size).toBe(calls.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('fails only where neither ids nor indexes say which call arguments are of', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), cuts, deviations, (items, lengths, how) => {
        fc.pre(how.index === 'right' || how.ids === 'stable');
        expect(decode(eventsOf(items, lengths, how)).ending?.kind).toBe('answered');
      }),
      { numRuns: 1_000 },
    );
  });
});
