import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentView } from '#libs/persistence';
import {
  DOCUMENT_EVENT_ID,
  documentEvents,
  hasSeenEnd,
  stateIdOf,
  type DocumentEvent,
} from './document-follower.js';

const WAITING: DocumentView = {
  ...{ id: 'a', datasource_id: 3, title: 'Hours', source: 'text', url: null, file_name: null },
  ...{ media_type: null, kind: null, size_bytes: 1, state: 'waiting', progress: { done: 0, total: null } },
  warnings: [],
  ...{ error_code: null, error_text: null, last_error: null, generation: 1, live_generation: null },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
};
const EMBEDDING: DocumentView = { ...WAITING, state: 'embedding', progress: { done: 64, total: 128 } };
const PUT_OFF: DocumentView = {
  ...{ ...WAITING, state: 'fetching' },
  last_error: { code: 'A', text: 'B', tries: 1, next_try_at: '2026-01-01T00:00:02.000Z' },
};
const READY: DocumentView = { ...WAITING, state: 'ready', progress: { done: 128, total: 128 } };

let now: number;
beforeEach(() => {
  now = 0;
});

/** Events that a follower receives while successive reads, one second apart, return these documents. */
async function heard(
  first: DocumentView,
  then: readonly (DocumentView | Error | null)[],
  seenId: string | null = null,
): Promise<string[]> {
  const left = [...then];
  const aborting = new AbortController();
  const read = (): Promise<DocumentView | null> => {
    now += 1_000;
    const next = left.shift();
    if (left.length === 0 && next === undefined) aborting.abort();
    if (next instanceof Error) return Promise.reject(next);
    return Promise.resolve(next === undefined ? first : next);
  };
  const sources = { read, clock: { monotonic: () => now } };
  const words: string[] = [];
  for await (const event of documentEvents(sources, first, seenId, aborting.signal))
    words.push(wordsOf(event));
  return words;
}

function wordsOf(event: DocumentEvent): string {
  if (event.event === 'state') return `${event.id} ${event.data.state}`;
  return event.event === 'end' ? `${event.id} end: ${event.data.reason}` : event.event;
}

describe('a follower of a document', () => {
  it('hears how it stands, each change once, and its end', async () => {
    expect(await heard(WAITING, [WAITING, EMBEDDING, EMBEDDING, READY])).toEqual([
      '1-0-0- waiting',
      '1-4-64-128 embedding',
      '1-6-128-128 ready',
      '1-6-128-128-end end: ready',
    ]);
  });

  it('hears what it waits for, each time that it is put off, and that it goes on', async () => {
    const again = { code: 'A', text: 'B', tries: 2, next_try_at: '2026-01-01T00:00:08.000Z' };
    const later: DocumentView = { ...PUT_OFF, last_error: again };
    expect(await heard(WAITING, [PUT_OFF, PUT_OFF, later, EMBEDDING])).toEqual([
      '1-0-0- waiting',
      '1-1-0--1767225602000 fetching',
      '1-1-0--1767225608000 fetching',
      '1-4-64-128 embedding',
    ]);
    expect(await heard(later, [], '1-1-0--1767225602000')).toEqual(['1-1-0--1767225608000 fetching']);
    expect(await heard(later, [], '1-1-0--1767225608000')).toEqual([]);
  });

  it('hears of a document that has ended long ago, and of one that is deleted', async () => {
    const failed: DocumentView = { ...WAITING, state: 'failed', error_code: 'DOCUMENT_EMPTY' };
    expect(await heard(failed, [])).toEqual(['1-7-0- failed', '1-7-0--end end: failed']);
    expect(await heard(WAITING, [null])).toEqual(['1-0-0- waiting', 'deleted end: deleted']);
  });

  it('follows on what was given anew', async () => {
    const anew = { ...EMBEDDING, generation: 2, live_generation: 1 };
    expect(await heard(EMBEDDING, [anew])).toEqual(['1-4-64-128 embedding', '2-4-64-128 embedding']);
  });

  it('sends an event only once', async () => {
    expect(await heard(EMBEDDING, [READY], '1-4-64-128')).toEqual([
      '1-6-128-128 ready',
      '1-6-128-128-end end: ready',
    ]);
    expect(await heard(READY, [], '1-6-128-128')).toEqual(['1-6-128-128-end end: ready']);
    expect(await heard(WAITING, [], '1-6-128-128-end')).toEqual(['1-0-0- waiting']);
  });

  it('sends a heartbeat after ten seconds without a change, and waits while the database does not answer', async () => {
    const nothing = Array.from({ length: 11 }, () => new Error('the database is away'));
    expect(await heard(WAITING, [...nothing, EMBEDDING])).toEqual([
      '1-0-0- waiting',
      'heartbeat',
      '1-4-64-128 embedding',
    ]);
  });
});

it.each<[DocumentView, string | null, boolean]>([
  [READY, '1-6-128-128-end', true],
  [READY, '1-6-128-128', false],
  [READY, null, false],
  [{ ...READY, generation: 2 }, '1-6-128-128-end', false],
  [WAITING, '1-0-0--end', false],
])(
  'whether a client has seen the end is said by the last event that it names',
  (document, seenId, expected) => {
    expect(hasSeenEnd(document, seenId)).toBe(expected);
  },
);

it.each([WAITING, PUT_OFF, EMBEDDING, READY])('ids are what they are said to be', (document) => {
  expect(stateIdOf(document)).toMatch(DOCUMENT_EVENT_ID);
  expect(`${stateIdOf(document)}-end`).toMatch(DOCUMENT_EVENT_ID);
});
