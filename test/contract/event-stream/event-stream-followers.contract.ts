import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStream, FollowerWatch } from '#libs/executions';
import { waitFor } from '../../support/services/wait-for.js';
import type { EventStreamBackend } from './event-stream-backend.js';

/** The part of the contract about a writer that hears of followers in other processes. */
export function describeHearingFollowers(open: () => EventStream, backend: () => EventStreamBackend): void {
  describe('hearing of followers', () => {
    let writer: EventStream;
    let reader: EventStream;
    let executionId: string;
    beforeEach(() => {
      writer = open();
      reader = open();
      executionId = randomUUID();
    });

    /** Watches the followers of an execution without any, once the writer hears of them. */
    async function unfollowed(onArrival: () => void = () => undefined): Promise<FollowerWatch> {
      const watch = writer.watchFollowers(executionId, onArrival);
      await waitFor(() => !watch.hasFollowers, { description: 'the writer to hear' });
      return watch;
    }

    it('hears of a follower that comes, once', async () => {
      let arrivals = 0;
      const watch = await unfollowed(() => (arrivals += 1));
      const [first, second] = [reader.watch(executionId), open().watch(executionId)];
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
      reader.watch(randomUUID());
      expect(arrivals).toBe(1);
      for (const each of [first, second, watch]) each.close();
    });

    it('hears of a follower that was there before', async () => {
      const other = await unfollowed();
      reader.watch(executionId);
      await waitFor(() => other.hasFollowers, { description: 'the follower' });
      expect(writer.watchFollowers(executionId, () => undefined).hasFollowers).toBe(true);
    });

    it('hears of a follower that came before this process', async () => {
      reader.watch(executionId);
      writer.watchFollowers(randomUUID(), () => undefined);
      const later = open();
      const unknown = later.watchFollowers(randomUUID(), () => undefined);
      await waitFor(() => !unknown.hasFollowers, { description: 'the later writer to hear' });
      const watch = later.watchFollowers(executionId, () => undefined);
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
    });

    it('takes who waits for a settlement only for no follower', async () => {
      const watch = await unfollowed();
      reader.watchSettlement(executionId);
      const other = randomUUID();
      const followed = writer.watchFollowers(other, () => undefined);
      reader.watch(other);
      await waitFor(() => followed.hasFollowers, { description: 'the follower of another execution' });
      expect(watch.hasFollowers).toBe(false);
    });

    it('takes every execution for followed while it is cut off, and hears again afterwards', async () => {
      const { cutWakeUps } = backend();
      if (cutWakeUps === null) return;
      let arrivals = 0;
      const watch = await unfollowed(() => (arrivals += 1));
      await cutWakeUps();
      await waitFor(() => arrivals > 0, { description: 'the loss to be reported' });
      await waitFor(() => !watch.hasFollowers, { description: 'the writer to hear again' });
      reader.watch(executionId);
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
    });
  });
}
