import { describe, expect, it } from '@jest/globals';
import { memoryStore, type PointStore, type RateLimit } from './point-store.js';
import { RateLimiter, type Standing } from './rate-limiter.js';

const WINDOW_MS = 60_000;

/** A store with its own clock, which can be made to fail. */
class CountingStore implements PointStore {
  now = 0;
  asked = 0;
  failure: Error | 'silence' | null = null;
  private readonly windows = new Map<string, { points: number; until: number }>();

  async take(subject: string, points: number) {
    this.asked += 1;
    if (this.failure === 'silence') return new Promise<never>(() => undefined);
    if (this.failure !== null) throw this.failure;
    const known = this.windows.get(subject);
    const window =
      known === undefined || known.until <= this.now ? { points: 0, until: this.now + WINDOW_MS } : known;
    window.points += points;
    this.windows.set(subject, window);
    return { points: window.points, expiresInMs: window.until - this.now };
  }
}

function limiterOf(points: number, store = new CountingStore()) {
  const limit: RateLimit = { name: 'key', points, windowSeconds: WINDOW_MS / 1_000 };
  const failures: unknown[] = [];
  const clock = { monotonic: () => store.now };
  const limiter = new RateLimiter(limit, store, memoryStore(limit), clock, (error) => failures.push(error));
  return { limiter, store, failures };
}

async function takeMany(limiter: RateLimiter, count: number): Promise<Standing[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.take('a')));
}
const allowed = (standings: readonly Standing[]): number =>
  standings.filter(({ isExceeded }) => !isExceeded).length;

describe('RateLimiter', () => {
  it.each([1, 7, 99, 100, 101, 250, 1_000])(
    'allows %i and no more, however many ask at once',
    async (points) => {
      const { limiter } = limiterOf(points);

      expect(allowed(await takeMany(limiter, points + 50))).toBe(points);
    },
  );

  it('says what is left and when the next window begins', async () => {
    const { limiter, store } = limiterOf(3);

    const standings = [];
    for (const now of [0, 10_000, 20_000, 30_000]) {
      store.now = now;
      standings.push(await limiter.take('a'));
    }

    expect(standings.map(({ remaining, resetMs }) => [remaining, resetMs])).toEqual([
      [2, 60_000],
      [1, 50_000],
      [0, 40_000],
      [0, 30_000],
    ]);
    expect(standings.map(({ isExceeded }) => isExceeded)).toEqual([false, false, false, true]);
  });

  it('allows as much again in the next window', async () => {
    const { limiter, store } = limiterOf(2);
    await takeMany(limiter, 3);
    store.now = WINDOW_MS;

    expect(allowed(await takeMany(limiter, 3))).toBe(2);
  });

  it('shares one limit with another process, but for what each has counted by itself', async () => {
    const store = new CountingStore();
    const [one, other] = [limiterOf(1_000, store).limiter, limiterOf(1_000, store).limiter];

    const standings = await Promise.all([takeMany(one, 700), takeMany(other, 700)]);

    const total = allowed(standings.flat());
    expect(total).toBeLessThanOrEqual(1_000);
    expect(total).toBeGreaterThanOrEqual(980);
  });

  it('asks the store for a hundredth at once, and not at all for what it knows to be empty', async () => {
    const { limiter, store } = limiterOf(1_000);
    await takeMany(limiter, 1_000);
    const asked = store.asked;
    await takeMany(limiter, 500);

    expect([asked, store.asked]).toEqual([100, 100]);
  });

  it('counts each subject by itself, and knows without asking who has nothing left', async () => {
    const { limiter } = limiterOf(1);
    await limiter.take('a');

    expect(limiter.peekExceeded('a')).toMatchObject({ isExceeded: true, remaining: 0 });
    expect(limiter.peekExceeded('b')).toBeNull();
    expect((await limiter.take('b')).isExceeded).toBe(false);
  });

  it.each<[string, Error | 'silence']>([
    ['fails', new Error('away')],
    ['is silent', 'silence'],
  ])('counts by itself while the store %s, and with it again later', async (_name, failure) => {
    const { limiter, store, failures } = limiterOf(5);
    store.failure = failure;

    expect(allowed(await takeMany(limiter, 8))).toBe(5);

    // Only the first request waited for the store.
    expect([store.asked, failures.length]).toEqual([1, 1]);
    store.failure = null;
    store.now = WINDOW_MS;
    await limiter.take('a');
    expect(store.asked).toBe(2);
  });
});
