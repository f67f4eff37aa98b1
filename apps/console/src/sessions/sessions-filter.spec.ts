import { describe, expect, it } from '@jest/globals';
import { queryOf, sessionsFilterOf } from './sessions-filter.js';

describe('the filter of the sessions', () => {
  it('takes from an address what makes sense', () => {
    const search = { agent: '7', executor: ' u-17 ', archived: true, since: '7d', other: 1 };
    expect(sessionsFilterOf(search)).toEqual({ agent: 7, executor: 'u-17', archived: true, since: '7d' });
    expect(sessionsFilterOf({ executor: 17, archived: 'true' })).toEqual({ executor: '17', archived: true });
  });

  it.each([
    { agent: '-1' },
    { agent: 'x' },
    { executor: ' ' },
    { executor: 'x'.repeat(201) },
    { archived: false },
    { since: 'toString' },
  ])('passes over %j', (search) => {
    expect(sessionsFilterOf(search)).toEqual({});
  });

  it('asks the same within a minute', () => {
    const now = Date.parse('2026-11-28T12:00:42.500Z');
    const filter = { agent: 7, executor: 'u', archived: true, since: '24h' } as const;
    const asked = { agent_id: 7, executor_id: 'u', archived: 'true', from: '2026-11-27T12:00:00.000Z' };
    expect(queryOf(filter, now)).toEqual(asked);
    expect(queryOf(filter, now + 10_000)).toEqual(asked);
    expect(queryOf({}, now)).toEqual({});
  });
});
