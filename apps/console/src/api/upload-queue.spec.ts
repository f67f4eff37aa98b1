import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from './problem.js';
import { isAnyOpen, isRefusedForGood, nextUpload, sentPart, type Upload } from './upload-list.js';
import { UploadQueue } from './upload-queue.js';

const chosen = (key: string) => ({ key, place: 1, file: {} as File });
const waiting = (key: string): Upload<number, string> => ({ ...chosen(key), state: 'waiting' });
const sending = (key: string): Upload<number, string> => ({
  ...chosen(key),
  state: 'sending',
  sent: 1,
  total: 2,
});
const given = (key: string): Upload<number, string> => ({ ...chosen(key), state: 'given', given: '' });
describe('uploads', () => {
  it('begin in their order, so many at once', () => {
    expect(nextUpload([sending('a'), waiting('b'), waiting('c')], 2)?.key).toBe('b');
    expect(nextUpload([sending('a'), sending('b'), waiting('c')], 2)).toBeNull();
    expect(nextUpload([sending('a'), given('b')], 2)).toBeNull();
  });

  it('are open until all bytes are there', () => {
    expect([isAnyOpen([waiting('a')]), isAnyOpen([sending('a')]), isAnyOpen([given('a')])]).toEqual([
      ...[true, true, false],
    ]);
  });

  it('without bytes have no part that is sent', () => {
    expect([sentPart(0, 0), sentPart(1, 4), sentPart(9, 4)]).toEqual([0, 0.25, 1]);
  });
});

describe('a refused upload', () => {
  it.each([
    [0, false],
    [401, false],
    [412, false],
    [413, true],
    [422, true],
    [503, false],
  ])('with status %i is refused for good: %s', (status, expected) => {
    expect(isRefusedForGood(new ApiProblem(status, '', '', null, null))).toBe(expected);
  });
});

describe('the queue of uploads', () => {
  /** A queue whose files are sent, or fail, when the test says so; `seen` has each begin with the place of its file. */
  function openQueue() {
    const seen: string[] = [];
    const asks: boolean[] = [];
    const ends: PromiseWithResolvers<string>[] = [];
    const signals: AbortSignal[] = [];
    const queue = new UploadQueue<string, string>(
      ({ place }, { signal }) => {
        seen.push(place);
        signals.push(signal);
        const end = Promise.withResolvers<string>();
        ends.push(end);
        return end.promise;
      },
      (isOpen) => asks.push(isOpen),
    );
    queue.add(['a', 'b', 'c'].map((place) => ({ place, file: { size: 1 } as File })));
    const states = () => queue.getUploads().map(({ place, state }) => `${place} ${state}`);
    const keyOf = (at: number) => queue.getUploads()[at]?.key ?? '';
    const until = (at: number, state: string): Promise<void> =>
      new Promise((resolve) => {
        const stop = queue.subscribe(() => {
          if (queue.getUploads()[at]?.state !== state) return;
          stop();
          resolve();
        });
      });
    return { queue, seen, asks, ends, signals, states, keyOf, until };
  }

  it('sends two at once, and the next when one has ended', async () => {
    const { queue, seen, asks, ends, states, until } = openQueue();
    expect([seen, states()]).toEqual([
      ['a', 'b'],
      ['a sending', 'b sending', 'c waiting'],
    ]);
    ends[0]?.resolve('done');
    await until(0, 'given');
    expect([seen, states()]).toEqual([
      ['a', 'b', 'c'],
      ['a given', 'b sending', 'c sending'],
    ]);
    ends.forEach(({ resolve }) => resolve('done'));
    await until(2, 'given');
    expect(asks.at(-1)).toBe(false);
    queue.renew((text) => `${text}, read`);
    expect(queue.getUploads()).toMatchObject(Array.from({ length: 3 }, () => ({ given: 'done, read' })));
  });

  it('keeps a refused file with its problem, and sends it again under its key', async () => {
    const { queue, seen, asks, ends, states, keyOf, until } = openQueue();
    const key = keyOf(0);
    ends[0]?.reject(new ApiProblem(412, 'Changed', 'It has changed.', 'precondition_failed', null));
    await until(0, 'refused');
    expect(queue.getUploads()[0]).toMatchObject({ key, state: 'refused', problem: { status: 412 } });
    expect(asks.at(-1)).toBe(true);
    ends.slice(1).forEach(({ resolve }) => resolve('done'));
    await until(2, 'given');
    queue.retry(key);
    expect([seen, states(), keyOf(0)]).toEqual([
      ['a', 'b', 'c', 'a'],
      ['a sending', 'b given', 'c given'],
      key,
    ]);
  });

  it('stops a file that is dropped, and begins the next', () => {
    const { queue, seen, signals, states, keyOf } = openQueue();
    queue.drop(keyOf(1));
    expect([signals.map(({ aborted }) => aborted), seen, states()]).toEqual([
      [false, true, false],
      ['a', 'b', 'c'],
      ['a sending', 'c sending'],
    ]);
  });
});
