import { expect, it } from '@jest/globals';
import { OneAtATime } from './one-at-a-time.js';

it('leaves out what comes while an earlier one goes on, and lets the next one through when that has failed', async () => {
  const turns = new OneAtATime();
  const seen: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const going = turns.orSkip(async () => {
    seen.push('first');
    await first.promise;
  });
  const note = (name: string) => (): Promise<void> => {
    seen.push(name);
    return Promise.resolve();
  };
  await turns.orSkip(note('meanwhile'));
  first.reject(new Error('failed'));
  await expect(going).rejects.toThrow('failed');
  await turns.orSkip(note('afterwards'));
  expect(seen).toEqual(['first', 'afterwards']);
});
