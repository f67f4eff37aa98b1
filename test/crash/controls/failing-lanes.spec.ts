import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../support/services/wait-for.js';
import { CrashLane } from '../services/crash-lane.js';

const TIMEOUT_MS = 120_000;

/** The listening servers and child processes that keep this process alive. */
function heldOpen(): { readonly servers: number; readonly children: number } {
  const kinds = process.getActiveResourcesInfo();
  const count = (name: string): number => kinds.filter((kind) => kind === name).length;
  return { servers: count('TCPServerWrap'), children: count('ProcessWrap') };
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
      // At most as many as before: resources of earlier tests may be released only now.
      const isLeft = (): boolean => {
        const { servers, children } = heldOpen();
        return servers > before.servers || children > before.children;
      };
      await waitFor(() => !isLeft(), { description: 'nothing to be left' });
      expect(isLeft()).toBe(false);
    },
    TIMEOUT_MS,
  );
});
