import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary, Standing } from '../api/types.js';
import { mergeRuns, type KnownRuns } from './merge-runs.js';
import { concerns, queryOf, runsFilterOf, withStatusToggled } from './runs-filter.js';

const SESSION = '01a220af-e456-76c3-931f-a1fc533d5055';

describe('the filter of the runs', () => {
  it('takes from an address what makes sense', () => {
    const search = { status: 'failed,nonsense,running', agent: '7', session: SESSION, since: '1h', other: 1 };
    expect(runsFilterOf(search)).toEqual({
      status: 'running,failed',
      agent: 7,
      session: SESSION,
      since: '1h',
    });
  });

  it.each([
    { status: 'nonsense' },
    { status: 5 },
    { agent: '-1' },
    { agent: 'x' },
    { session: 'x' },
    { since: 'toString' },
    { error: 'lower case' },
    { executor: '' },
  ])('passes over %j', (search) => {
    expect(runsFilterOf(search)).toEqual({});
  });

  it('adds a status and takes it away again', () => {
    const failed = withStatusToggled({ agent: 1 }, 'failed');
    expect(withStatusToggled(failed, 'queued')).toEqual({ agent: 1, status: 'queued,failed' });
    expect(withStatusToggled(failed, 'failed')).toEqual({ agent: 1 });
  });

  it('takes an executor and the code of an error, and asks for both', () => {
    const filter = runsFilterOf({ executor: 'mara', error: 'SDK_ERROR' });
    expect(filter).toEqual({ executor: 'mara', error: 'SDK_ERROR' });
    expect(queryOf(filter, 0)).toEqual({ executor_id: 'mara', error_code: 'SDK_ERROR' });
  });

  it('asks the same within a minute', () => {
    const now = Date.parse('2026-11-28T12:00:42.500Z');
    const asked = { agent_id: 7, from: '2026-11-28T11:00:00.000Z' };
    expect(queryOf({ agent: 7, since: '1h' }, now)).toEqual(asked);
    expect(queryOf({ agent: 7, since: '1h' }, now + 10_000)).toEqual(asked);
  });
});

describe('a refresh of the runs', () => {
  const run = (number: number, status = 'running') =>
    ({
      ...{ id: `run-${number}`, created_at: `2026-11-28T12:00:0${number}.000Z`, status, waiting_for: null },
      ...{ required_action: null, attempt: 1, started_at: null, finished_at: null },
    }) as unknown as ExecutionSummary;
  const read = (askedAt: number, ...data: ExecutionSummary[]) => ({ askedAt, data, has_more: false });
  const merge = (known: Partial<KnownRuns>) =>
    mergeRuns({ pages: [], head: null, again: [], standings: new Map(), ...known });
  const standing = (number: number, status: string, receivedAt: number) =>
    [
      `run-${number}`,
      {
        receivedAt,
        standing: {
          id: `run-${number}`,
          status,
          attempt: 2,
          started_at: null,
          finished_at: 'then',
        } as Standing,
      },
    ] as const;

  it('changes rows in their places and keeps new runs apart', () => {
    const merged = merge({
      pages: [read(1, run(2), run(1))],
      head: { ...read(2, run(3), run(2, 'completed')), has_more: true },
    });
    expect(merged.rows).toEqual([run(2, 'completed'), run(1)]);
    expect(merged.fresh).toEqual([run(3)]);
    expect(merged.hasGap).toBe(false);
  });

  it('takes no run for new that the list has not come to yet', () => {
    expect(merge({ pages: [read(1, run(5))], head: read(2, run(5), run(4)) }).fresh).toEqual([]);
  });

  it('says that runs may be missing when all that it read are new and there are more', () => {
    const head = read(2, run(5), run(4));
    expect(merge({ pages: [read(1, run(1))], head: { ...head, has_more: true } }).hasGap).toBe(true);
    expect(merge({ pages: [read(1, run(1))], head }).hasGap).toBe(false);
  });

  it('takes a change that came after the reading, and no earlier one', () => {
    const pages = [read(5, run(1))];
    const after = merge({ pages, standings: new Map([standing(1, 'completed', 6)]) }).rows[0];
    expect(after).toMatchObject({ status: 'completed', attempt: 2, finished_at: 'then' });
    expect(merge({ pages, standings: new Map([standing(1, 'completed', 5)]) }).rows).toEqual([run(1)]);
  });

  it('takes the latest reading, in any order of arrival', () => {
    const again = [read(9, run(1, 'failed')), read(7, run(1, 'queued'))];
    expect(merge({ pages: [read(1, run(1))], again }).rows).toEqual([run(1, 'failed')]);
  });

  it('forgets what a run waited for once it stands otherwise', () => {
    const waiting = {
      ...run(1, 'requires_action'),
      required_action: { calls: [] },
    } as unknown as ExecutionSummary;
    const standings = new Map([standing(1, 'running', 2)]);
    expect(merge({ pages: [read(1, waiting)], standings }).rows[0]?.required_action).toBeNull();
  });
});

describe('a change of a run', () => {
  const changed = { agent_id: 7, session_uuid: SESSION, error_code: 'TIMEOUT' };

  it.each([
    [{}, true],
    [{ agent: 7, session: SESSION, status: 'failed' }, true],
    [{ agent: 8 }, false],
    [{ session: 'another' }, false],
    [{ error: 'TIMEOUT' }, true],
    [{ error: 'CANCELLED' }, false],
    [{ executor: 'u7' }, true],
  ])('concerns the list of %j: %j', (filter, expected) => {
    expect(concerns(filter, changed)).toBe(expected);
  });
});
