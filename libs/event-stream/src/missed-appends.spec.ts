import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppendWatches } from './append-watches.js';
import { MissedAppends } from './missed-appends.js';

const TOO_LONG_MS = 60_000;
const never = new AbortController().signal;

let watches: AppendWatches;
let asked: (readonly (readonly [string, number])[])[];
let failures: unknown[];
let findGrown: () => Promise<readonly string[]>;
let missed: MissedAppends;
beforeEach(() => {
  jest.useFakeTimers();
  watches = new AppendWatches();
  [asked, failures] = [[], []];
  findGrown = () => Promise.resolve([]);
  missed = new MissedAppends({
    watches,
    findGrown: (lastIds) => {
      asked.push(lastIds);
      return findGrown();
    },
    everyMs: 1_000,
    logFailure: (_message, error) => failures.push(error),
  });
});
afterEach(() => {
  missed.close();
  jest.useRealTimers();
});

describe('the look for missed appends', () => {
  it('asks once for all who wait, and wakes those whose stream has grown', async () => {
    const woken: string[] = [];
    for (const [id, lastId] of [
      ['a', 4],
      ['b', 0],
      ['c', 9],
    ] as const)
      void watches
        .open(id)
        .wait(lastId, TOO_LONG_MS, never)
        .then(() => woken.push(id));
    findGrown = () => Promise.resolve(['b']);

    await jest.advanceTimersByTimeAsync(1_000);

    expect(asked).toEqual([
      [
        ['a', 4],
        ['b', 0],
        ['c', 9],
      ],
    ]);
    expect(woken).toEqual(['b']);
  });

  it('runs no query without a waiting follower', async () => {
    watches.open('a');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([]);
  });

  it('asks for a thousand at a time', async () => {
    for (let index = 0; index < 2_500; index += 1) void watches.open(`${index}`).wait(0, TOO_LONG_MS, never);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked.map((lastIds) => lastIds.length)).toEqual([1_000, 1_000, 500]);
  });

  it('waits for an answer before it asks again, and goes on after a failure', async () => {
    void watches.open('a').wait(0, TOO_LONG_MS, never);
    const answer = Promise.withResolvers<readonly string[]>();
    findGrown = () => answer.promise;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toHaveLength(1);

    answer.reject(new Error('away'));
    findGrown = () => Promise.resolve([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(failures).toEqual([new Error('away')]);
    expect(asked).toHaveLength(2);
  });
});
