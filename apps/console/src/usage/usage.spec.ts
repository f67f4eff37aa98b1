import { describe, expect, it } from '@jest/globals';
import type { UsageSum } from '../api/types.js';
import { seriesOf, totalSeries } from './series.js';
import { restOf, sumOf } from './sums.js';
import { rowsOf } from './usage-rows.js';
import { faultOfDays, partsOf, rangeOf, usageSearchOf } from './usage-search.js';

const NOW = Date.parse('2026-11-22T09:30:15.500Z');

const sum = (given: Partial<UsageSum>): UsageSum => ({
  ...{
    model: null,
    agent_id: null,
    day: null,
    hour: null,
    tenant_id: null,
    scope: null,
    executor_id: null,
    metadata_value: null,
  },
  ...{ calls: 1, failed_calls: 0, unknown_calls: 0, unpriced_calls: 0, input_tokens: 8 },
  ...{ cache_read_tokens: 0, cache_creation_5m_tokens: 0, cache_creation_1h_tokens: 0, output_tokens: 2 },
  ...{ reasoning_tokens: 0, total_tokens: 10, total_cost_usd: '0.1' },
  ...given,
});
const UNKNOWN = {
  ...{ unknown_calls: 1, input_tokens: null, cache_read_tokens: null, output_tokens: null },
  ...{ reasoning_tokens: null, total_tokens: null, total_cost_usd: null },
};

describe('the address of the page', () => {
  it('keeps what makes sense and passes over the rest', () => {
    const search = { by: 'agent', show: 'tokens', window: '30d', agent: '7', executor: 'mara', x: 1 };
    expect(usageSearchOf(search)).toEqual({
      ...{ by: 'agent', show: 'tokens', window: '30d', agent: 7, executor: 'mara' },
    });
    expect(usageSearchOf({ by: 'colour', show: 1, window: '1y', agent: -1, executor: '' })).toEqual({});
    expect(usageSearchOf({ from: '2026-01-01', to: '2026-01-31', window: '24h' })).toEqual({
      from: '2026-01-01',
      to: '2026-01-31',
    });
    expect(usageSearchOf({ from: '2026-02-01', to: '2026-01-31' })).toEqual({});
    expect(usageSearchOf({ from: '2024-01-01', to: '2026-01-31' })).toEqual({});
  });

  it.each([
    ['2026-01-01', '2026-01-01', null],
    ['2026-01-02', '2026-01-01', 'The first day is after the last one.'],
    ['', '2026-01-01', 'Choose a first and a last day.'],
    ['2024-01-01', '2026-01-01', 'At most 366 days can be summed at once.'],
  ])('judges the days %s to %s', (from, to, fault) => {
    expect(faultOfDays(from, to)).toBe(fault);
  });
});

describe('the range', () => {
  it.each([
    ['24h', '2026-11-21T10:00:00.000Z', 'hour', 24],
    ['7d', '2026-11-16T00:00:00.000Z', 'day', 7],
    ['30d', '2026-10-24T00:00:00.000Z', 'day', 30],
  ] as const)('for %s has whole parts, the current one last', (window, from, unit, count) => {
    const range = rangeOf({ window }, NOW);
    expect(range).toEqual({ from, to: '2026-11-22T09:31:00.000Z', unit });
    expect(partsOf(range)).toHaveLength(count);
  });

  it('for own dates includes the last day, and is split by hours where it is short', () => {
    expect(rangeOf({ from: '2026-11-01', to: '2026-11-02' }, NOW)).toEqual({
      ...{ from: '2026-11-01T00:00:00.000Z', to: '2026-11-03T00:00:00.000Z', unit: 'hour' },
    });
    expect(rangeOf({ from: '2026-11-01', to: '2026-11-03' }, NOW).unit).toBe('day');
  });
});

describe('sums', () => {
  it('leave out what is unknown, and are unknown where all is', () => {
    expect(sumOf([sum({}), sum(UNKNOWN)])).toMatchObject({
      ...{ calls: 2, unknown_calls: 1, total_tokens: 10, total_cost_usd: '0.1' },
    });
    expect(sumOf([sum(UNKNOWN)])).toMatchObject({ total_tokens: null, total_cost_usd: null });
    expect(sumOf([])).toMatchObject({ calls: 0, total_tokens: 0, total_cost_usd: '0' });
  });

  it('know the calls that are in no group', () => {
    const all = sumOf([sum({ calls: 5, total_tokens: 100, total_cost_usd: '1' })]);
    expect(restOf(all, [sum({ calls: 3, total_tokens: 60, total_cost_usd: '0.7' })])).toMatchObject({
      ...{ calls: 2, total_tokens: 40, total_cost_usd: '0.3' },
    });
    expect(restOf(all, [all])).toBeNull();
  });
});

describe('rows', () => {
  const agentName = (id: number): string => `agent ${id}`;

  it('come with the largest amount first and the unknown ones last', () => {
    const sums = [
      sum({ model: 'a', ...UNKNOWN }),
      sum({ model: 'b' }),
      sum({ model: 'c', total_cost_usd: '0.3' }),
    ];
    const rows = rowsOf(sums, sumOf(sums), { by: 'model', measure: 'cost', agentName });
    expect(rows.map(({ name, share }) => [name, share])).toEqual([
      ['c', 0.3 / 0.4],
      ['b', 0.1 / 0.4],
      ['a', null],
    ]);
  });

  it('lead to the runs of agents and executors, and end with the calls that have none', () => {
    const all = sum({ calls: 3 });
    const choice = { measure: 'calls' as const, agentName };
    const agents = rowsOf([sum({ agent_id: 7 })], all, { ...choice, by: 'agent' });
    expect(agents.map(({ name, runs, calls }) => [name, runs, calls])).toEqual([
      ['agent 7', { agent: 7 }, 1],
      ['Without an agent', null, 2],
    ]);
    const executors = rowsOf([sum({ executor_id: 'mara' })], null, { ...choice, by: 'executor' });
    expect(executors.map(({ runs }) => runs)).toEqual([{ executor: 'mara' }]);
    expect(rowsOf([sum({ scope: '' })], all, { ...choice, by: 'scope' })).toMatchObject([
      { name: 'Main agent' },
    ]);
  });
});

describe('series', () => {
  const parts = partsOf(rangeOf({ from: '2026-11-01', to: '2026-11-03' }, NOW));

  it('hold 0 where nothing was called, null where it is unknown, and all others together', () => {
    const sums = [
      sum({ day: '2026-11-01', model: 'a' }),
      sum({ day: '2026-11-02', model: 'a', ...UNKNOWN }),
      sum({ day: '2026-11-03', model: 'b' }),
      sum({ day: '2026-11-03', model: 'c' }),
      sum({ day: '2026-12-01', model: 'a' }),
    ];
    expect(seriesOf(sums, parts, { by: 'model', keys: ['a'], measure: 'tokens' })).toEqual([
      { key: 'a', values: [10, null, 0] },
      { key: null, values: [0, 0, 20] },
    ]);
  });

  it('keep the main agent apart from all others', () => {
    const sums = [sum({ day: '2026-11-01', scope: '' }), sum({ day: '2026-11-01', scope: '2.1' })];
    expect(seriesOf(sums, parts, { by: 'scope', keys: [''], measure: 'calls' })).toEqual([
      { key: '', values: [1, 0, 0] },
      { key: null, values: [1, 0, 0] },
    ]);
  });

  it('without a split are one', () => {
    const sums = [sum({ day: '2026-11-02', calls: 4 }), sum({ day: '2026-11-03', ...UNKNOWN })];
    expect(totalSeries(sums, parts, 'calls')).toEqual({ key: null, values: [0, 4, 1] });
    expect(totalSeries(sums, parts, 'cost').values).toEqual([0, 0.1, null]);
  });
});
