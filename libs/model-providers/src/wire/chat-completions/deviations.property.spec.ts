import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#libs/kernel';
import { ChatStreamDecoder } from './decode-chat-stream.js';

/** Deviations of servers from OpenAI; each one occurs in a known server. */
const deviations = fc
  .record({
    ids: fc.constantFrom('own', 'shared', 'changing', 'none'),
    index: fc.constantFrom('right', 'zero', 'none'),
    name: fc.constantFrom('first', 'every piece', 'in pieces', 'ever longer', 'last'),
    /** Carrier of text and calls: deltas, one message, or both. */
    frames: fc.constantFrom('delta', 'message', 'both'),
    order: fc.constantFrom('one by one', 'interleaved'),
    /** A single call in `function_call`, the API's first form. */
    isLegacy: fc.boolean(),
  })
  // Without an index, a call begins with its name and has its own id or none.
  .filter(
    ({ ids, index, name }) => index === 'right' || ((ids === 'own' || ids === 'none') && name === 'first'),
  )
  // Without an index, ids distinguish the pieces of several calls.
  .filter(({ ids, index, order }) => index === 'right' || ids === 'own' || order === 'one by one');
type Deviations = typeof deviations extends fc.Arbitrary<infer T> ? T : never;

const text = fc.string({ maxLength: 20, unit: 'grapheme' });
const calls = fc.array(
  fc
    .dictionary(fc.string({ maxLength: 3 }), text, { minKeys: 1, maxKeys: 2 })
    .map((data) => JSON.stringify(data)),
  { maxLength: 4 },
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

const nameOf = (at: number) => `tool_${at}`;
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function callPieces(written: string, at: number, lengths: readonly number[], how: Deviations): JsonObject[] {
  const parts = pieces(written, lengths);
  const name = nameOf(at);
  const half = Math.ceil(name.length / 2);
  const before =
    how.name === 'in pieces' ? [name.slice(0, half), name.slice(half)] : [name.slice(0, half), name];
  const named: [string, string][] =
    how.name === 'first' || how.name === 'every piece'
      ? parts.map((part, place) => [place === 0 || how.name === 'every piece' ? name : '', part])
      : how.name === 'last'
        ? [...parts.map((part): [string, string] => ['', part]), [name, '']]
        : [
            ...before.map((part): [string, string] => [part, '']),
            ...parts.map((part): [string, string] => ['', part]),
          ];
  return named.map(([said, part], place) => ({
    ...(how.index !== 'none' && { index: how.index === 'zero' ? 0 : at }),
    ...(how.ids === 'own' && { id: `id_${at}` }),
    ...(how.ids === 'shared' && { id: 'id' }),
    ...(how.ids === 'changing' && { id: `id_${at}_${place}` }),
    function: { ...(said !== '' && { name: said }), arguments: part },
  }));
}

/** The first piece of each call, then the second of each, and so on. */
function interleave(calls: readonly (readonly JsonObject[])[]): JsonObject[] {
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_none, place) => place);
  return places.flatMap((place) => calls.flatMap((call) => call.slice(place, place + 1)));
}

function chunksOf(
  said: string,
  written: readonly string[],
  lengths: readonly number[],
  how: Deviations,
): JsonObject[] {
  const isLegacy = how.isLegacy && written.length === 1;
  const calls = written.map((one, at) => callPieces(one, at, lengths, how));
  const ordered = how.order === 'interleaved' ? interleave(calls) : calls.flat();
  const deltas = [
    ...pieces(said, lengths).map((content) => chunk({ content })),
    ...ordered.map((call) =>
      chunk(isLegacy ? { function_call: call['function'] ?? null } : { tool_calls: [call] }),
    ),
  ];
  const wholeCalls = written.map((one, at) => ({
    id: `id_${at}`,
    function: { name: nameOf(at), arguments: one },
  }));
  const message = {
    content: said === '' ? null : said,
    ...(isLegacy ? { function_call: wholeCalls[0]?.function ?? null } : { tool_calls: wholeCalls }),
  };
  const whole = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  if (how.frames === 'delta') return [...deltas, chunk({}, 'stop')];
  return how.frames === 'message' ? [whole] : [...deltas, whole];
}

describe('ChatStreamDecoder, however a server differs', () => {
  it('puts the same answer together', () => {
    fc.assert(
      fc.property(text, calls, cuts, deviations, (said, written, lengths, how) => {
        const decoder = new ChatStreamDecoder();
        const deltas = chunksOf(said, written, lengths, how).flatMap((one) => decoder.push(one));
        const ending = decoder.end();
        const answer = ending?.kind === 'answered' ? ending.answer : undefined;
        expect(answer?.text).toBe(said.toWellFormed().replaceAll('\u0000', ''));
        expect(deltas.map((delta) => (delta.kind === 'text' ? delta.content : '')).join('')).toBe(
          answer?.text,
        );
        expect(answer?.toolCalls.map((call) => [call.name, call.arguments])).toEqual(
          written.map((one, at) => [nameOf(at), one]),
        );
        expect(new Set(answer?.toolCalls.map(({ id }) => id)).size).toBe(written.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
