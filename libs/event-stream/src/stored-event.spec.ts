import { describe, expect, it } from '@jest/globals';
import { readKnownEvents, toStoredEvents, type StoredRow } from './stored-event.js';

const delta = (id: number): StoredRow => ({
  id,
  event: 'text_delta',
  data: { content: `part ${id}`, round: 1 },
});

describe('toStoredEvents', () => {
  it('makes data storable', () => {
    expect(toStoredEvents([{ event: 'thinking', data: { content: 'a\u0000\ud800', round: 1 } }])).toEqual([
      { event: 'thinking', data: '{"content":"a\ufffd","round":1}' },
    ]);
  });
});

describe('readKnownEvents', () => {
  const rows = [
    delta(1),
    { id: 2, event: 'of_tomorrow', data: {} },
    { id: 3, event: 'toString', data: {} },
    delta(4),
  ];
  const fetchRows = (afterId: number, limit: number): Promise<StoredRow[]> =>
    Promise.resolve(rows.filter(({ id }) => id > afterId).slice(0, limit));

  it.each([
    [0, 10, [1, 4]],
    [0, 1, [1]],
    [1, 1, [4]],
    [2, 2, [4]],
    [4, 1, []],
  ])('after %i at most %i: %j, over names it does not know', async (afterId, limit, expected) => {
    expect((await readKnownEvents(fetchRows, afterId, limit)).map(({ id }) => id)).toEqual(expected);
  });

  it('names the field of an event that has the wrong shape, and never shows its content', async () => {
    const wrong = { id: 7, event: 'text_delta', data: { content: 'secret', round: 'one' } };
    const reading = readKnownEvents(() => Promise.resolve([wrong]), 0, 10);
    await expect(reading).rejects.toMatchObject({
      code: 'EVENT_UNREADABLE',
      retryable: false,
      details: { id: 7, event: 'text_delta', fields: ['round'] },
    });
    await expect(reading).rejects.not.toThrow('secret');
  });
});
