import { describe, expect, it } from '@jest/globals';
import { retryTransient } from './retry-transient.js';

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Retries a call that throws these errors in order and then succeeds. */
async function retried(thrown: readonly unknown[], { maxTries = 3, stopAfterWaits = Infinity } = {}) {
  const stop = new AbortController();
  const waits: number[] = [];
  const retries: unknown[] = [];
  let calls = 0;
  const call = async (): Promise<string> => {
    calls += 1;
    if (calls <= thrown.length) throw thrown[calls - 1];
    return 'done';
  };
  const ended = await retryTransient(call, {
    maxTries,
    signal: stop.signal,
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length >= stopAfterWaits) stop.abort();
    },
    random: () => 0,
    onRetry: (error) => retries.push(error),
  }).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  return { ended, calls, waits, retries };
}

describe('retryTransient', () => {
  it('calls again after what passes, a little later every time', async () => {
    const thrown = [reset(), reset()];
    expect(await retried(thrown)).toEqual({
      ended: { answer: 'done' },
      calls: 3,
      waits: [100, 200],
      retries: thrown,
    });
  });

  it('throws what the last try threw', async () => {
    const last = reset();
    expect(await retried([reset(), reset(), last])).toMatchObject({ ended: { error: last }, calls: 3 });
  });

  it('calls once what may not be repeated', async () => {
    const only = reset();
    expect(await retried([only], { maxTries: 1 })).toMatchObject({
      ended: { error: only },
      calls: 1,
      waits: [],
    });
  });

  it('does not repeat what the tool found out', async () => {
    const refusal = new Error('the card has expired');
    expect(await retried([refusal])).toMatchObject({ ended: { error: refusal }, calls: 1, waits: [] });
  });

  it('calls nothing after it was asked to stop', async () => {
    expect(await retried([reset(), reset()], { stopAfterWaits: 1 })).toMatchObject({ calls: 1, retries: [] });
  });
});
