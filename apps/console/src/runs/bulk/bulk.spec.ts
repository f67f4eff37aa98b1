import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../api/problem.js';
import { statusesFor } from './bulk-action.js';
import { AT_ONCE, runBulk, type BulkRequests } from './run-bulk.js';

const IDS = Array.from({ length: 20 }, (_, index) => `run-${index}`);
const problem = (status: number) => new ApiProblem(status, 'title', 'detail', null, null);

/** Does it to all runs and returns what became of each. */
async function resultsOf(act: (id: string) => Promise<unknown>, more: Partial<BulkRequests> = {}) {
  const done: string[] = [];
  const failed: string[] = [];
  await runBulk({
    ids: IDS,
    act,
    signal: new AbortController().signal,
    onDone: (id) => done.push(id),
    onFailure: ({ id, problem: { status } }) => failed.push(`${id} ${status}`),
    pause: () => Promise.resolve(),
    ...more,
  });
  return { done, failed };
}

describe('an action on many runs', () => {
  it('is done once to each, to at most five at once', async () => {
    let now = 0;
    let most = 0;
    const { done, failed } = await resultsOf(async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
    });
    expect([done.toSorted(), failed]).toEqual([IDS.toSorted(), []]);
    expect(most).toBe(AT_ONCE);
  });

  it('is tried again after a passing failure, and reported after six', async () => {
    const tries = new Map<string, number>();
    const { done, failed } = await resultsOf(async (id) => {
      const count = (tries.get(id) ?? 0) + 1;
      tries.set(id, count);
      if (id === 'run-3' || (id === 'run-4' && count < 3)) throw problem(503);
    });
    expect(done).toHaveLength(19);
    expect(failed).toEqual(['run-3 503']);
    expect([tries.get('run-3'), tries.get('run-4'), tries.get('run-5')]).toEqual([6, 3, 1]);
  });

  it('is not tried again after a refusal, and goes on with the others', async () => {
    let asked = 0;
    const { done, failed } = await resultsOf(async (id) => {
      asked += 1;
      if (id === 'run-7') throw problem(409);
    });
    expect([asked, done.length, failed]).toEqual([20, 19, ['run-7 409']]);
  });

  it('begins no other run once it was stopped, and finishes those under way', async () => {
    const stopping = new AbortController();
    const { done } = await resultsOf(
      async (id) => {
        await Promise.resolve();
        if (id === 'run-6') stopping.abort();
      },
      { signal: stopping.signal },
    );
    expect(done).toContain('run-6');
    expect(done.length).toBeLessThanOrEqual(6 + AT_ONCE);
  });

  it('leaves alone a run that waits for its next try when it is stopped', async () => {
    const stopping = new AbortController();
    const pause = (): Promise<void> => {
      stopping.abort();
      return Promise.resolve();
    };
    const { done, failed } = await resultsOf(() => Promise.reject(problem(0)), {
      signal: stopping.signal,
      pause,
    });
    expect([done, failed]).toEqual([[], []]);
  });

  it('ends with the session', async () => {
    const { done, failed } = await resultsOf(() => Promise.reject(problem(401)));
    expect(done).toEqual([]);
    expect(failed.length).toBeLessThanOrEqual(AT_ONCE);
  });
});

describe('the runs that it applies to', () => {
  it.each([
    ['cancel', {}, false, 'queued,running,requires_action'],
    ['cancel', { status: 'running,failed' }, false, 'running'],
    ['cancel', { status: 'failed' }, false, ''],
    ['retry', {}, false, 'incomplete,failed,cancelled'],
    ['retry', {}, true, 'incomplete,failed,cancelled'],
    ['retry', { status: 'completed,failed' }, false, 'failed'],
    ['retry', { status: 'completed,failed' }, true, 'failed,completed'],
    ['retry', { status: 'queued' }, true, ''],
  ] as const)('%s of %j, completed ones %j: %s', (action, filter, isCompletedMeant, expected) => {
    expect(statusesFor(action, filter, isCompletedMeant).join(',')).toBe(expected);
  });
});
