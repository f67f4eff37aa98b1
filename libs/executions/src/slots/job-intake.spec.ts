import { describe, expect, it } from '@jest/globals';
import { ExecutionSlots } from './execution-slots.js';
import { JobIntake } from './job-intake.js';

/** Lets all pending work run until it waits for the test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function aJobIntake(count: number) {
  const places = new ExecutionSlots(count);
  const drain = new AbortController();
  const timers = new Set<() => void>();
  const begun: string[] = [];
  const brokenOff: unknown[] = [];
  const claims = new Map<string, PromiseWithResolvers<undefined>>();
  const attempts = new Map<string, PromiseWithResolvers<undefined>>();
  const store = new Map<string, () => void>();
  const intake = new JobIntake({
    places,
    drain: drain.signal,
    timers: {
      after: (_ms, act) => {
        timers.add(act);
        return () => timers.delete(act);
      },
    },
    run: async ({ executionId }, { onClaimed, onStored }) => {
      begun.push(executionId);
      const claim = Promise.withResolvers<undefined>();
      const attempt = Promise.withResolvers<undefined>();
      claims.set(executionId, claim);
      attempts.set(executionId, attempt);
      store.set(executionId, onStored);
      await claim.promise;
      onClaimed();
      await attempt.promise;
    },
    defer: setImmediate,
    onBrokeOff: (error, executionId) => brokenOff.push([error, executionId]),
  });
  return {
    ...{ places, drain, begun, brokenOff },
    intake: {
      start: async (ids: readonly string[]) =>
        (await intake.start(ids.map((executionId) => ({ executionId })))).map(
          ({ executionId }) => executionId,
        ),
      untilFree: () => intake.untilFree(),
      ended: () => intake.ended(),
    },
    claim: (id: string) => claims.get(id)?.resolve(undefined),
    failClaim: (id: string, error: Error) => claims.get(id)?.reject(error),
    store: (id: string) => store.get(id)?.(),
    end: (id: string) => attempts.get(id)?.resolve(undefined),
    breakOff: (id: string, error: Error) => attempts.get(id)?.reject(error),
    letTimePass: () => timers.forEach((act) => act()),
    timers,
  };
}

describe('JobIntake', () => {
  it('is through with a job when all of it is claimed, and goes on with the attempts', async () => {
    const { intake, places, claim, end } = aJobIntake(4);
    const taken = intake.start(['a', 'b']);
    let isTaken = false;
    void taken.then(() => (isTaken = true));
    claim('a');
    await settled();
    expect(isTaken).toBe(false);
    claim('b');
    await expect(taken).resolves.toEqual([]);
    expect(places.free).toBe(2);
    let haveEnded = false;
    const ended = intake.ended().then(() => (haveEnded = true));
    end('a');
    await settled();
    expect([places.free, haveEnded]).toEqual([3, false]);
    end('b');
    await ended;
    expect(places.free).toBe(4);
  });

  it('lets an attempt do what waits for nothing before the job goes on', async () => {
    const done: string[] = [];
    const intake = new JobIntake({
      places: new ExecutionSlots(1),
      drain: new AbortController().signal,
      timers: { after: () => () => undefined },
      run: async (_asked, { onClaimed }) => {
        onClaimed();
        for (let step = 0; step < 100; step += 1) await Promise.resolve();
        done.push('the model is asked');
      },
      defer: setImmediate,
      onBrokeOff: () => undefined,
    });
    await intake.start([{ executionId: 'a' }]);
    done.push('the job is finished');
    expect(done).toEqual(['the model is asked', 'the job is finished']);
  });

  it('runs no more executions at once than there are slots, for any jobs', async () => {
    const { intake, begun, claim, end, timers } = aJobIntake(2);
    const first = intake.start(['a', 'b', 'c']);
    const second = intake.start(['d']);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    claim('a');
    claim('b');
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    claim('c');
    await expect(first).resolves.toEqual([]);
    end('c');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    claim('d');
    await expect(second).resolves.toEqual([]);
    expect(timers.size).toBe(0);
  });

  it('gives the slot of a stored ending to the next execution, and waits for the rest of the first at the end', async () => {
    const { intake, places, claim, store, end } = aJobIntake(1);
    const first = intake.start(['a']);
    claim('a');
    await first;
    store('a');
    expect(places.free).toBe(1);
    const second = intake.start(['b']);
    claim('b');
    await second;
    end('b');
    await settled();
    let haveEnded = false;
    const ended = intake.ended().then(() => (haveEnded = true));
    await settled();
    expect([places.free, haveEnded]).toEqual([1, false]);
    end('a');
    await ended;
    expect(places.free).toBe(1);
  });

  it('leaves to others what finds no place in time', async () => {
    const { intake, begun, claim, letTimePass } = aJobIntake(1);
    const taken = intake.start(['a', 'b', 'c']);
    claim('a');
    await settled();
    letTimePass();
    await expect(taken).resolves.toEqual(['b', 'c']);
    expect(begun).toEqual(['a']);
  });

  it('begins nothing more once it drains, and waits for no place', async () => {
    const { intake, drain, begun, claim } = aJobIntake(1);
    const taken = intake.start(['a', 'b']);
    claim('a');
    const free = intake.untilFree();
    drain.abort();
    await expect(taken).resolves.toEqual(['b']);
    await free;
    await expect(intake.start(['c'])).resolves.toEqual(['c']);
    expect(begun).toEqual(['a']);
  });

  it('throws where a claim fails, and gives its place free', async () => {
    const { intake, places, claim, failClaim, end, brokenOff } = aJobIntake(2);
    const taken = intake.start(['a', 'b']);
    failClaim('a', new Error('away'));
    claim('b');
    await expect(taken).rejects.toThrow('away');
    end('b');
    await intake.ended();
    expect([places.free, brokenOff]).toEqual([2, []]);
  });

  it('reports an attempt that breaks off, and fails nothing by it', async () => {
    const { intake, claim, breakOff, brokenOff } = aJobIntake(2);
    const taken = intake.start(['a']);
    claim('a');
    await expect(taken).resolves.toEqual([]);
    const error = new Error('away');
    breakOff('a', error);
    await intake.ended();
    expect(brokenOff).toEqual([[error, 'a']]);
  });

  it('lets one of those who wait go on for each place that comes free, the first first', async () => {
    const { intake, places } = aJobIntake(1);
    const leave = places.take();
    const woken: string[] = [];
    const [first, second] = ['first', 'second'].map((who) => intake.untilFree().then(() => woken.push(who)));
    leave();
    await first;
    await settled();
    expect(woken).toEqual(['first']);
    places.take()();
    await second;
    expect(woken).toEqual(['first', 'second']);
  });
});
