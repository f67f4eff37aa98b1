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
  const rows: StoredRow[] = [
    delta(1),
    { id: 2, event: 'of_tomorrow', data: {} },
    { id: 3, event: 'text_delta', data: { content: 'secret', round: 'one' } },
    { id: 4, event: 'toString', data: {} },
    delta(5),
  ];
  const fetchRows = (afterId: number, limit: number): Promise<StoredRow[]> =>
    Promise.resolve(rows.filter(({ id }) => id > afterId).slice(0, limit));

  it.each([
    [0, 10, [1, 5]],
    [0, 1, [1]],
    [1, 1, [5]],
    [2, 2, [5]],
    [5, 1, []],
  ])('after %i at most %i: %j, over what another release has written', async (afterId, limit, expected) => {
    const events = await readKnownEvents(fetchRows, afterId, limit, () => undefined);
    expect(events.map(({ id }) => id)).toEqual(expected);
  });

  it('reports the field of an event that has another shape, and never its content', async () => {
    const reports: string[] = [];
    await readKnownEvents(fetchRows, 0, 10, (description) => reports.push(description));
    expect(reports).toEqual(['text_delta: round']);
  });
});
