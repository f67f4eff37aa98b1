import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { unlessAborted } from './unless-aborted.js';

const gaveUp = (): Error => new Error('gave up');

describe('unlessAborted', () => {
  it('answers what the work comes to', async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(Promise.resolve(1), signal, gaveUp)).resolves.toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('broken')), signal, gaveUp)).rejects.toThrow(
      'broken',
    );
  });

  it.each([
    ['once the signal is aborted', (controller: AbortController) => queueMicrotask(() => controller.abort())],
    ['where it was aborted before', (controller: AbortController) => controller.abort()],
  ])('throws %s, even if the work fails later', async (_when, abort) => {
    const controller = new AbortController();
    const { promise: work, reject: fail } = Promise.withResolvers<never>();
    abort(controller);
    await expect(unlessAborted(work, controller.signal, gaveUp)).rejects.toThrow('gave up');
    // No other listener handles the rejection, which would otherwise end the process.
    fail(new Error('too late'));
  });

  it('leaves no listener at the signal', async () => {
    const controller = new AbortController();
    await unlessAborted(Promise.resolve(), controller.signal, gaveUp);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
