import { describe, expect, it } from '@jest/globals';
import { openWhole } from './open-whole.js';

describe('a whole that does not open', () => {
  it('closes what it had begun, the last first, and fails by what it failed of', async () => {
    const closed: string[] = [];
    const part = (name: string) => ({
      close: () => {
        closed.push(name);
        return name === 'broken' ? Promise.reject(new Error('not closed')) : Promise.resolve();
      },
    });
    const opening = openWhole(async (begun) => {
      for (const name of ['first', 'broken', 'last']) begun(await Promise.resolve(part(name)));
      throw new Error('not opened');
    });
    await expect(opening).rejects.toThrow('not opened');
    expect(closed).toEqual(['last', 'broken', 'first']);
  });
});
