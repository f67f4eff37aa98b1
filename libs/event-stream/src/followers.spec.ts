import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import { resultOf, textDelta } from '../../../test/contract/event-stream/sample-events.js';
import { toAppend } from './append-batches.js';
import { Followers } from './followers.js';
import { WHO_FOLLOWS } from './wake-up.js';

const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const never = new AbortController().signal;
const asksPerson: ExecutionEvent = { event: 'status', data: { status: 'requires_action', attempt: 1 } };
const message = (executionId: string, ...events: ExecutionEvent[]): string =>
  toAppend(executionId, 2, events).line;

const unsent = () => Promise.resolve();
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Followers', () => {
  it('notifies who follows an execution what was appended, and who waits for its end when that has come', async () => {
    const followers = new Followers(unsent, () => undefined);
    const [appended, settled] = [
      followers.appends.open(EXECUTION_ID),
      followers.settlements.open(EXECUTION_ID),
    ];

    followers.hear(message(EXECUTION_ID, textDelta('no news')));
    expect(await appended.wait(1, 60_000, never)).toEqual([{ id: 2, ...textDelta('no news') }]);
    expect(await settled.wait(1, never)).toEqual({ kind: 'silence' });

    followers.hear([message('b', asksPerson), message(EXECUTION_ID, resultOf(EXECUTION_ID))].join('\n'));
    expect(await appended.wait(1, 60_000, never)).toEqual([{ id: 2, ...resultOf(EXECUTION_ID) }]);
    expect(await settled.wait(60_000, never)).toEqual({
      kind: 'settled',
      result: resultOf(EXECUTION_ID).data,
    });
  });

  it('wakes each waiter with `look` when the execution needs a person', async () => {
    const followers = new Followers(unsent, () => undefined);
    const settled = followers.settlements.open(EXECUTION_ID);
    followers.hear(message(EXECUTION_ID, asksPerson));
    expect(await settled.wait(60_000, never)).toEqual({ kind: 'look' });
  });

  it('announces each followed execution to the writers, those of one moment together', async () => {
    const { followers, sent } = announcing();
    for (const executionId of ['a', 'b', 'a']) waitFor(followers, executionId);
    await turn();
    waitFor(followers, 'c');
    await turn();
    expect(sent).toEqual(['writers: a+b', 'writers: c']);
    followers.close();
  });

  it('announces no execution of which a watch was opened only, as before its reader is known', async () => {
    const { followers, sent } = announcing();
    followers.follow('a');
    await turn();
    followers.hear(WHO_FOLLOWS);
    await turn();
    expect(sent).toEqual([]);
    followers.close();
  });

  it('announces those that are still followed where a writer asks, and after messages may have been missed', async () => {
    const { followers, sent } = announcing();
    const watches = ['a', 'b', 'c'].map((executionId) => waitFor(followers, executionId));
    await turn();
    watches[1]?.close();
    followers.hear(WHO_FOLLOWS);
    await turn();
    followers.catchUp();
    await turn();
    expect(sent).toEqual(['writers: a+b+c', 'writers: a+c', 'writers: a+c']);
    followers.close();
  });

  it('follows on where an announcement fails, and logs the failure', async () => {
    const failures: string[] = [];
    const followers = new Followers(
      () => Promise.reject(new Error('away')),
      (failure) => failures.push(failure),
    );
    const watch = waitFor(followers, EXECUTION_ID);
    await turn();
    await turn();
    const news = watch.wait(1, 60_000, never);
    followers.hear(message(EXECUTION_ID, textDelta('news')));
    expect(await news).toEqual([{ id: 2, ...textDelta('news') }]);
    expect(failures).toEqual(['event stream: followers not announced']);
    followers.close();
  });

  /** A watch that waits for the next event. */
  function waitFor(followers: Followers, executionId: string) {
    const watch = followers.follow(executionId);
    void watch.wait(1, 60_000, never);
    return watch;
  }

  function announcing() {
    const sent: string[] = [];
    const followers = new Followers(
      (to, announcement) => Promise.resolve(sent.push(`${to}: ${announcement.replaceAll('\n', '+')}`)),
      () => undefined,
    );
    return { followers, sent };
  }
});
