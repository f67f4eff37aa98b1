import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobWatch } from './blob-watch.js';

let now: number;
let looks: PromiseWithResolvers<undefined>[];
let watch: BlobWatch;

beforeEach(() => {
  [now, looks] = [0, []];
  const check = () => {
    const look = Promise.withResolvers<undefined>();
    looks.push(look);
    return look.promise;
  };
  watch = new BlobWatch({ check }, { monotonic: () => now });
});

describe('the watch of a store', () => {
  it('asks once for all who ask within a quarter of a minute, and says to each what came of it', async () => {
    const asked = [watch.check(), watch.check()];
    looks[0]?.resolve(undefined);
    await Promise.all(asked);
    now = 14_999;
    const again = watch.check();
    expect(looks).toHaveLength(1);
    await again;

    now = 15_000;
    const failing = watch.check();
    looks[1]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    now = 29_999;
    const failingAgain = watch.check();
    expect(looks).toHaveLength(2);
    await expect(failingAgain).rejects.toThrow('away');

    now = 30_000;
    const well = watch.check();
    looks[2]?.resolve(undefined);
    await expect(well).resolves.toBeUndefined();
  });

  it('asks no second time while a store is silent', () => {
    void watch.check();
    now = 100_000;
    void watch.check();
    expect(looks).toHaveLength(1);
  });
});
