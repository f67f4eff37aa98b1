import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#libs/kernel';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';

type Item =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'message'; readonly texts: readonly string[] }
  | { readonly kind: 'call'; readonly arguments: string };

/** Deviations of servers from OpenAI; each one occurs in a known server. */
const deviations = fc
  .record({
    /** Ids of events and items: as in OpenAI's API, a new one with every event, or none. */
    ids: fc.constantFrom('stable', 'changing', 'none'),
    /** `output_index`: as in OpenAI's API, none, or 0 for every item. */
    index: fc.constantFrom('right', 'none', 'zero'),
    order: fc.constantFrom('one by one', 'interleaved'),
    /** Whether arguments arrive before the announcement of their call. */
    announcesLate: fc.boolean(),
    /** Events that contain the name of a function. */
    named: fc.constantFrom('everywhere', 'with the arguments'),
    /** Events that contain the arguments of calls. */
    written: fc.constantFrom('everywhere', 'pieces', 'argumentsDone', 'itemDone'),
    reportsTextsDone: fc.boolean(),
    itemsDone: fc.constantFrom('once', 'twice', 'none'),
    finalOutput: fc.constantFrom('whole', 'empty', 'without calls'),
    sharesCallIds: fc.boolean(),
  })
  // If all items have the same index, the announcement of a call must separate it from the one before.
  .filter(({ index, announcesLate }) => index !== 'zero' || !announcesLate)
  // Pieces of interleaved calls need a correct place to be matched.
  .filter(({ ids, index, order }) => order === 'one by one' || index === 'right' || ids === 'stable');
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

/** Without a name in the item, only the event that ends the arguments can name the function. */
const isNamedLate = (how: Deviations) =>
  how.named === 'with the arguments' && (how.written === 'everywhere' || how.written === 'argumentsDone');

function wholeItem(one: Item, at: number, how: Deviations): JsonObject {
  if (one.kind === 'reasoning')
    return { type: 'reasoning', summary: [{ type: 'summary_text', text: one.text }] };
  if (one.kind === 'message')
    return { type: 'message', content: one.texts.map((said) => ({ type: 'output_text', text: said })) };
  const written = how.written === 'everywhere' || how.written === 'itemDone' ? one.arguments : '';
  const name = isNamedLate(how) ? '' : `n${at}`;
  return { type: 'function_call', call_id: callIdOf(at, how), name, arguments: written };
}

function eventsOf(items: readonly Item[], lengths: readonly number[], how: Deviations): JsonObject[] {
  let count = 0;
  const perItem = items.map((one, at) => {
    const idOf = () => (how.ids === 'stable' ? `item_${at}` : `item_${at}_${(count += 1)}`);
    const place = (more: JsonObject) => ({
      ...more,
      ...(how.ids !== 'none' && { item_id: idOf() }),
      ...indexOf(at, how),
    });
    const reported = (whole: JsonObject) => ({
      item: { ...whole, ...(how.ids !== 'none' && { id: idOf() }) },
      ...indexOf(at, how),
    });
    const whole = wholeItem(one, at, how);
    const begun = {
      type: 'response.output_item.added',
      ...reported({ ...whole, content: [], summary: [], arguments: '' }),
    };
    const done = { type: 'response.output_item.done', ...reported(whole) };
    const ends = how.itemsDone === 'none' ? [] : how.itemsDone === 'once' ? [done] : [done, done];
    const said = inside(one, at, lengths, how, place);
    const isLate = how.announcesLate && one.kind === 'call';
    return isLate ? [...said, begun, ...ends] : [begun, ...said, ...ends];
  });
  const events = how.order === 'interleaved' ? interleaveCalls(items, perItem) : perItem.flat();
  const output = items.flatMap((one, at) => {
    if (how.finalOutput === 'empty' || (how.finalOutput === 'without calls' && one.kind === 'call'))
      return [];
    return [{ ...wholeItem(one, at, how), ...(how.ids === 'stable' && { id: `item_${at}` }) }];
  });
  return [...events, { type: 'response.completed', response: { id: 'r', status: 'completed', output } }];
}

const indexOf = (at: number, how: Deviations): JsonObject =>
  how.index === 'none' ? {} : { output_index: how.index === 'zero' ? 0 : at };

/** Interleaves calls: the first event of each, then the second of each, and so on. Texts keep their place. */
function interleaveCalls(items: readonly Item[], events: readonly (readonly JsonObject[])[]): JsonObject[] {
  const isCall = (at: number) => items[at]?.kind === 'call';
  const calls = events.filter((_events, at) => isCall(at));
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_none, place) => place);
  const mixed = places.flatMap((place) => calls.flatMap((call) => call.slice(place, place + 1)));
  return [...events.filter((_events, at) => !isCall(at)).flat(), ...mixed];
}

function inside(
  one: Item,
  position: number,
  lengths: readonly number[],
  how: Deviations,
  place: (more: JsonObject) => JsonObject,
): JsonObject[] {
  if (one.kind === 'call') {
    const named = 'response.function_call_arguments';
    const parts = pieces(one.arguments, lengths).map((delta) => place({ type: `${named}.delta`, delta }));
    const name = isNamedLate(how) ? { name: `n${position}` } : {};
    const end = place({ type: `${named}.done`, arguments: one.arguments, ...name });
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

/** Arguments that occur only in `itemDone` cannot be restored without that event. */
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
