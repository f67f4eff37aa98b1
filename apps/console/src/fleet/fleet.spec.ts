import { describe, expect, it } from '@jest/globals';
import type { Overview, Worker } from '../api/types.js';
import { fleetSearchOf } from './fleet-search.js';
import { keepOrder } from './keep-order.js';
import { outcomeSeries } from './outcome-series.js';
import { releasesOf, slotsOf, stateOf } from './releases.js';
import { silentHostsOf } from './silent-hosts.js';

const worker = (given: Partial<Worker>): Worker => ({
  ...{ id: 'w', release: '1.0.0', roles: ['execute'], slots: 50, slots_in_use: 10, is_present: true },
  ...{ last_seen_at: null, started_at: '2026-11-22T09:00:00.000Z', draining_since: null },
  model_hosts: [],
  ...given,
});

describe('workers', () => {
  it.each([
    [worker({}), 'working'],
    [worker({ draining_since: '2026-11-22T09:00:00.000Z' }), 'draining'],
    [worker({ is_present: false, draining_since: '2026-11-22T09:00:00.000Z' }), 'missing'],
  ])('%# are in the state %s', (shown, state) => {
    expect(stateOf(shown)).toBe(state);
  });

  it('are summed by release, the newest first, without missing ones', () => {
    const workers = [
      worker({ id: 'a' }),
      worker({ id: 'b', draining_since: '2026-11-22T10:00:00.000Z', slots_in_use: 2 }),
      worker({ id: 'c', release: '1.1.0', started_at: '2026-11-22T10:00:00.000Z' }),
      worker({ id: 'd', release: null, started_at: '2026-11-21T10:00:00.000Z' }),
      worker({ id: 'e', release: '0.9.0', is_present: false }),
    ];
    expect(releasesOf(workers).map(({ lastStart: _, ...release }) => release)).toEqual([
      { name: '1.1.0', workers: 1, draining: 0, slots: 50, slotsInUse: 10 },
      { name: '1.0.0', workers: 2, draining: 1, slots: 100, slotsInUse: 12 },
      { name: null, workers: 1, draining: 0, slots: 50, slotsInUse: 10 },
    ]);
    expect(slotsOf(workers)).toEqual({ total: 200, inUse: 32 });
    expect(releasesOf([])).toEqual([]);
  });
});

describe('model hosts that do not answer', () => {
  it('are listed by host and worker, without those of missing workers', () => {
    const silent = (host: string) => ({ host, failures: 1, breaker: 'closed' as const, paused_until: null });
    const workers = [
      worker({ id: 'b', model_hosts: [silent('z.example'), silent('a.example')] }),
      worker({ id: 'a', model_hosts: [silent('z.example')] }),
      worker({ id: 'c', is_present: false, model_hosts: [silent('b.example')] }),
    ];
    expect(silentHostsOf(workers).map(({ host, workerId }) => `${host} ${workerId}`)).toEqual([
      ...['a.example b', 'z.example a', 'z.example b'],
    ]);
  });
});

describe('keepOrder', () => {
  it('leaves known items where they were and appends new ones', () => {
    const keyOf = (item: string): string => item;
    expect(keepOrder([], ['b', 'a'], keyOf)).toEqual(['b', 'a']);
    expect(keepOrder(['a', 'gone', 'b'], ['c', 'b', 'a'], keyOf)).toEqual(['a', 'b', 'c']);
  });
});

describe('outcomes over time', () => {
  it('hold zeros for the parts that the answer leaves out', () => {
    const overview = {
      ...{ window: '1h', from: '2026-11-22T09:00:00.000Z', to: '2026-11-22T09:12:00.000Z' },
      parts: [
        {
          ...{ from: '2026-11-22T09:05:00.000Z', completed: 3, incomplete: 0, failed: 1, cancelled: 0 },
          total_cost_usd: '0',
        },
      ],
    } as unknown as Overview;
    const { times, step, values } = outcomeSeries(overview);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 300, 600]);
    expect(step).toBe(300);
    expect(values).toEqual([
      [0, 3, 0],
      [0, 0, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]);
  });
});

it('takes a window from the address that there is', () => {
  expect(fleetSearchOf({ window: '7d' })).toEqual({ window: '7d' });
  expect(fleetSearchOf({ window: '1y' })).toEqual({});
});
