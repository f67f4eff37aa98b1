import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary } from '../api/types.js';
import { mergeRuns } from './merge-runs.js';
import { queryOf, runsFilterOf, withStatusToggled } from './runs-filter.js';

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
    ({ id: `run-${number}`, created_at: `2026-11-28T12:00:0${number}.000Z`, status }) as ExecutionSummary;

  it('changes rows in their places and keeps new runs apart', () => {
    const merged = mergeRuns([run(2), run(1)], [run(3), run(2, 'completed')], true);
    expect(merged.rows).toEqual([run(2, 'completed'), run(1)]);
    expect(merged.fresh).toEqual([run(3)]);
    expect(merged.hasGap).toBe(false);
  });

  it('takes no run for new that the list has not come to yet', () => {
    expect(mergeRuns([run(5)], [run(5), run(4)], true).fresh).toEqual([]);
  });

  it('says that runs may be missing when all that it read are new and there are more', () => {
    expect(mergeRuns([run(1)], [run(5), run(4)], true).hasGap).toBe(true);
    expect(mergeRuns([run(1)], [run(5), run(4)], false).hasGap).toBe(false);
  });
});
