import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../test/support/fakes/manual-time.js';
import { ANNOUNCED_EVERY_MS, FollowedExecutions, SEPARATOR } from './followed-executions.js';

function setUp() {
  const time = new ManualTime();
  const sent: string[] = [];
  const failures: string[] = [];
  const send = (to: string, message: string) => Promise.resolve(sent.push(`${to}:${message}`));
  const followed = new FollowedExecutions(time, send, (failure) => failures.push(failure));
  const watch = (executionId: string) => {
    const arrivals: string[] = [];
    const watched = followed.watch(executionId, () => arrivals.push(executionId));
    return { watched, arrivals };
  };
  return { time, sent, failures, followed, watch };
}

describe('FollowedExecutions', () => {
  it('counts every execution as followed until something was heard, then those that were announced', () => {
    const { followed, watch } = setUp();
    const [a, b] = [watch('a'), watch('b')];
    expect([a.watched.hasFollowers, b.watched.hasFollowers]).toEqual([true, true]);
    followed.hear('');
    expect([a.watched.hasFollowers, b.watched.hasFollowers]).toEqual([false, false]);
    followed.hear(['b', 'c'].join(SEPARATOR));
    expect([a.watched.hasFollowers, b.watched.hasFollowers]).toEqual([false, true]);
    expect([a.arrivals, b.arrivals]).toEqual([[], ['b']]);
    expect(watch('c').watched.hasFollowers).toBe(true);
  });

  it('reports a follower once, however often it is announced, and none after the watch was closed', () => {
    const { followed, watch } = setUp();
    followed.hear('');
    const [a, b] = [watch('a'), watch('b')];
    b.watched.close();
    followed.hear(['a', 'b'].join(SEPARATOR));
    followed.hear('a');
    expect([a.arrivals, b.arrivals]).toEqual([['a'], []]);
  });

  it('counts an execution as followed for three times as long as its announcements are apart', async () => {
    const { time, followed, watch } = setUp();
    followed.hear('a');
    const { watched } = watch('a');
    await time.pass(3 * ANNOUNCED_EVERY_MS - 1);
    followed.hear('b');
    expect(watched.hasFollowers).toBe(true);
    await time.pass(1);
    followed.hear('b');
    expect(watched.hasFollowers).toBe(false);
    followed.hear('a');
    expect(watched.hasFollowers).toBe(true);
  });

  it('counts every execution as followed after the connection was lost, and reports it', () => {
    const { followed, watch } = setUp();
    followed.hear('');
    const { watched, arrivals } = watch('a');
    followed.lose();
    followed.lose();
    expect(watched.hasFollowers).toBe(true);
    expect(arrivals).toEqual(['a']);
    followed.hear('');
    expect(watched.hasFollowers).toBe(false);
  });

  it('counts every execution as followed beyond 20 000 followed ones', () => {
    const { followed, watch } = setUp();
    const { watched } = watch('a');
    const ids = (count: number) => Array.from({ length: count }, (_unused, index) => String(index));
    followed.hear(ids(19_999).join(SEPARATOR));
    expect(watched.hasFollowers).toBe(false);
    followed.hear('another');
    expect(watched.hasFollowers).toBe(true);
  });

  it('shows itself that it hears, then asks for followers; a failure is logged', async () => {
    const { followed, sent } = setUp();
    await followed.catchUp();
    expect(sent).toEqual(['writers:', 'readers:?']);
    const failures: string[] = [];
    const away = new FollowedExecutions(
      new ManualTime(),
      () => Promise.reject(new Error('away')),
      (failure) => failures.push(failure),
    );
    await away.catchUp();
    expect(failures).toEqual(['event stream: did not ask for followers']);
  });
});
