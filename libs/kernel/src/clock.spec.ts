import { describe, expect, it } from '@jest/globals';
import { pause, type Timers } from './clock.js';

/** A timer that the test fires. */
function someTimers() {
  const world = { ms: -1, isCancelled: false, act: () => {} };
  const timers: Timers = {
    after: (ms, act) => {
      Object.assign(world, { ms, act });
      return () => {
        world.isCancelled = true;
      };
    },
  };
  return { world, timers };
}

describe('pause', () => {
  it('ends with its time', async () => {
    const { world, timers } = someTimers();
    const { signal } = new AbortController();
    const paused = pause(timers, 70, signal);
    world.act();
    await paused;
    expect(world).toMatchObject({ ms: 70, isCancelled: false });
  });

  it('ends with its signal, and leaves no timer behind', async () => {
    const { world, timers } = someTimers();
    const stop = new AbortController();
    const paused = pause(timers, 70, stop.signal);
    stop.abort();
    await paused;
    expect(world).toMatchObject({ isCancelled: true });
  });

  it('does not begin when its signal has aborted', async () => {
    const { world, timers } = someTimers();
    await pause(timers, 70, AbortSignal.abort());
    expect(world.ms).toBe(-1);
  });
});
