import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../support/services/wait-for.js';
import { CrashLane } from './services/crash-lane.js';
import { openWhole } from './services/open-whole.js';

const TIMEOUT_MS = 120_000;

/** What keeps a process alive: servers that listen, and children. */
function heldOpen(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => /^(TCPServer|Process)Wrap$/.test(kind));
}

describe('a lane that does not open', () => {
  let lane: CrashLane | undefined;
  afterEach(() => lane?.close());

  it(
    'leaves nothing behind that keeps jest alive',
    async () => {
      const before = heldOpen();
      const opening = CrashLane.open('postgres', { LEASE_SECONDS: 'none' });
      await expect(opening.then((opened) => (lane = opened))).rejects.toThrow(/LEASE_SECONDS/);
      const isAsBefore = (): boolean => heldOpen().length <= before.length;
      await waitFor(isAsBefore, { description: 'nothing to be left' }).catch(() => undefined);
      expect(heldOpen()).toEqual(before);
    },
    TIMEOUT_MS,
  );

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
