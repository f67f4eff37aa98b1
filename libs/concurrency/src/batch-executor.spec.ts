import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../test/support/fakes/manual-time.js';
import { BatchExecutor, type BatchAnswer, type BatchOptions } from './batch-executor.js';
import { Linger } from './linger.js';

/** A started batch that the test ends. */
interface Begun {
  readonly items: readonly string[];
  readonly end: (answers?: readonly BatchAnswer<string>[]) => void;
  readonly fail: (error: unknown) => void;
}

class Bad extends Error {}

function executorUnderTest(options: Partial<BatchOptions<string, string>> = {}) {
  const batches: Begun[] = [];
  const deferred: (() => void)[] = [];
  const alone: string[] = [];
  const batchExecutor = new BatchExecutor<string, string>({
    runTogether: (items) =>
      new Promise((resolve, reject) => {
        const done = items.map((item) => ({ kind: 'done', value: `${item}!` }) as const);
        batches.push({ items, end: (answers = done) => resolve(answers), fail: reject });
      }),
    runAlone: (item) => {
      alone.push(item);
      return item.startsWith('bad') ? Promise.reject(new Bad(item)) : Promise.resolve(`${item} alone`);
    },
    mayRunAlone: (error) => error instanceof Bad,
    defer: (begin) => deferred.push(begin),
    lanes: 1,
    ...options,
  });
  /** Waits until no more progress is possible, deferred starts included. */
  const settle = async (): Promise<void> => {
    for (let idle = 0; idle < 20; idle += 1) {
      deferred.splice(0).forEach((begin) => begin());
      await Promise.resolve();
    }
  };
  return { batchExecutor, batches, alone, settle };
}

describe('BatchExecutor', () => {
  it('runs together what comes in at the same time, and answers each its own', async () => {
    const { batchExecutor, batches, settle } = executorUnderTest();
    const answers = Promise.all(['a', 'b', 'c'].map((item) => batchExecutor.call(item)));
    await settle();
    expect(batches.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    batches[0]?.end();
    await expect(answers).resolves.toEqual(['a!', 'b!', 'c!']);
  });

  it('collects for the next batch while as many are under way as may be, in the order of the calls', async () => {
    const { batchExecutor, batches, settle } = executorUnderTest({ lanes: 2 });
    const answers: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      answers.push(batchExecutor.call(item));
      await settle();
    }
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b']]);
    batches[1]?.end();
    await settle();
    expect(batches.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']]);
    batches.forEach((batch) => batch.end());
    await expect(Promise.all(answers)).resolves.toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  it.each([
    { by: 'number', options: { mostItems: 2 }, expected: [['aa', 'b'], ['cccc', 'd'], ['e']] },
    {
      by: 'weight, where one that is too heavy goes by itself',
      options: { weigh: (item: string) => item.length, mostWeight: 3 },
      expected: [['aa', 'b'], ['cccc'], ['d', 'e']],
    },
  ])('bounds a batch by $by', async ({ options, expected }) => {
    const { batchExecutor, batches, settle } = executorUnderTest(options);
    const answers = Promise.all(['aa', 'b', 'cccc', 'd', 'e'].map((item) => batchExecutor.call(item)));
    for (let index = 0; index < expected.length; index += 1) {
      await settle();
      expect(batches).toHaveLength(index + 1);
      batches[index]?.end();
    }
    await answers;
    expect(batches.map(({ items }) => items)).toEqual(expected);
  });

  it('lets a batch wait for items of the next moments while they come fast', async () => {
    const time = new ManualTime();
    const { batchExecutor, batches, settle } = executorUnderTest({ linger: new Linger(5, time, time) });
    const flood = Promise.all(Array.from({ length: 17 }, (_none, item) => batchExecutor.call(`${item}`)));
    await settle();
    batches[0]?.end();
    await flood;
    const next = [batchExecutor.call('next')];
    await settle();
    await time.pass(4);
    next.push(batchExecutor.call('another'));
    expect(batches).toHaveLength(1);
    await time.pass(1);
    expect(batches[1]?.items).toEqual(['next', 'another']);
    batches[1]?.end();
    await Promise.all(next);

    await time.pass(1_000);
    const alone = batchExecutor.call('alone');
    await settle();
    expect([batches[2]?.items, time.isIdle]).toEqual([['alone'], true]);
    batches[2]?.end();
    expect(await alone).toBe('alone!');
  });

  it('never waits for a single caller, as fast as it may call, nor with a full batch', async () => {
    const time = new ManualTime();
    const linger = new Linger(5, time, time);
    const { batchExecutor, batches, settle } = executorUnderTest({ linger, mostItems: 2 });
    for (let call = 0; call < 40; call += 1) {
      const answer = batchExecutor.call(`${call}`);
      await settle();
      batches[call]?.end();
      await answer;
    }
    expect([batches.length, time.isIdle]).toEqual([40, true]);
    const flood = Array.from({ length: 19 }, (_none, item) => batchExecutor.call(`flood ${item}`));
    for (let batch = 40; batch < 49; batch += 1) {
      await settle();
      batches[batch]?.end();
    }
    await settle();
    expect([batches.length, time.isIdle]).toEqual([49, false]);
    await time.pass(5);
    batches[49]?.end();
    await Promise.all(flood);
  });

  it('fails the item that failed and none beside it', async () => {
    const { batchExecutor, batches, settle } = executorUnderTest();
    const answers = Promise.allSettled(['a', 'b'].map((item) => batchExecutor.call(item)));
    await settle();
    const error = new Error('refused');
    batches[0]?.end([
      { kind: 'failed', error },
      { kind: 'done', value: 'b!' },
    ]);
    await expect(answers).resolves.toEqual([
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 'b!' },
    ]);
  });

  it('runs each by itself where a batch failed without having done anything', async () => {
    const { batchExecutor, batches, alone, settle } = executorUnderTest();
    const answers = Promise.allSettled(['a', 'bad', 'c'].map((item) => batchExecutor.call(item)));
    await settle();
    batches[0]?.fail(new Bad('one of them'));
    await expect(answers).resolves.toEqual([
      { status: 'fulfilled', value: 'a alone' },
      { status: 'rejected', reason: new Bad('bad') },
      { status: 'fulfilled', value: 'c alone' },
    ]);
    expect(alone).toEqual(['a', 'bad', 'c']);
  });

  it.each([
    { when: 'it may have done something', items: ['a', 'b'], error: new Error('connection lost') },
    { when: 'there was only one', items: ['a'], error: new Bad('a') },
  ])(
    'answers all of a batch with its failure, and runs nothing again, where $when',
    async ({ items, error }) => {
      const { batchExecutor, batches, alone, settle } = executorUnderTest();
      const answers = Promise.allSettled(items.map((item) => batchExecutor.call(item)));
      await settle();
      batches[0]?.fail(error);
      await expect(answers).resolves.toEqual(items.map(() => ({ status: 'rejected', reason: error })));
      expect(alone).toEqual([]);
    },
  );

  it('fails a batch that was not answered for each of its items', async () => {
    const { batchExecutor, batches, settle } = executorUnderTest();
    const answers = Promise.allSettled(['a', 'b'].map((item) => batchExecutor.call(item)));
    await settle();
    batches[0]?.end([{ kind: 'done', value: 'whose?' }]);
    const reason = new Error('1 answers for a batch of 2');
    await expect(answers).resolves.toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  it('is not held up by one that has to wait by itself', async () => {
    const released = Promise.withResolvers<string>();
    const { batchExecutor, batches, settle } = executorUnderTest({ runAlone: () => released.promise });
    const locked = batchExecutor.call('locked');
    await settle();
    batches[0]?.end([{ kind: 'alone' }]);
    await settle();
    const free = batchExecutor.call('free');
    await settle();
    batches[1]?.end();
    await expect(free).resolves.toBe('free!');
    released.resolve('at last');
    await expect(locked).resolves.toBe('at last');
  });

  it('goes on after a batch that failed, also where it was refused before it began', async () => {
    let calls = 0;
    const { batchExecutor, settle } = executorUnderTest({
      runTogether: (items) => {
        calls += 1;
        if (calls === 1) throw new Error('no connection');
        return Promise.resolve(items.map((item) => ({ kind: 'done', value: item })));
      },
    });
    const first = batchExecutor.call('a').catch((error: unknown) => String(error));
    await settle();
    await expect(first).resolves.toBe('Error: no connection');
    const second = batchExecutor.call('b');
    await settle();
    await expect(second).resolves.toBe('b');
  });

  it('is idle when what waits, what is under way and what runs by itself has ended', async () => {
    const released = Promise.withResolvers<string>();
    const { batchExecutor, batches, settle } = executorUnderTest({ runAlone: () => released.promise });
    let isIdle = false;
    const answers = [batchExecutor.call('a')];
    const idle = batchExecutor.idle().then(() => (isIdle = true));
    await settle();
    answers.push(batchExecutor.call('b'));
    batches[0]?.end([{ kind: 'alone' }]);
    await settle();
    expect([isIdle, batches.length]).toEqual([false, 2]);
    batches[1]?.end();
    await settle();
    expect(isIdle).toBe(false);
    released.resolve('a');
    await settle();
    await idle;
    expect(isIdle).toBe(true);
    await Promise.all(answers);
  });
});
