import { expect, it } from '@jest/globals';
import { SendWatch } from './send-watch.js';

const failing = (): Promise<void> => Promise.reject(new Error('no queue'));

it('sends fail from the first failure to the next success, or until nothing had to be sent for a while', async () => {
  let now = 0;
  const watch = new SendWatch({ monotonic: () => now });
  await expect(watch.check()).resolves.toBeUndefined();

  await expect(watch.over(failing())).rejects.toThrow('no queue');
  await expect(watch.check()).rejects.toThrow('cannot be sent');
  now = 14_999;
  await expect(watch.check()).rejects.toThrow('cannot be sent');
  now = 15_000;
  await expect(watch.check()).resolves.toBeUndefined();

  await expect(watch.over(failing())).rejects.toThrow('no queue');
  await watch.over(Promise.resolve());
  await expect(watch.check()).resolves.toBeUndefined();
});
