import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendWatch, EventStream, FollowerWatch } from '#libs/executions';
import { waitFor } from '../../support/services/wait-for.js';
import type { EventStreamBackend } from './event-stream-backend.js';

/** Longer than any case takes (ms). */
const LONG_MS = 60_000;

/** The part of the contract about a writer that hears of followers in other processes. */
export function describeHearingFollowers(open: () => EventStream, backend: () => EventStreamBackend): void {
  describe('hearing of followers', () => {
    let writer: EventStream;
    let reader: EventStream;
    let executionId: string;
    let leave: AbortController;
    beforeEach(() => {
      leave = new AbortController();
      writer = open();
      reader = open();
      executionId = randomUUID();
    });
    afterEach(() => leave.abort());

    /** A follower that has read what there is and waits for the next event. */
    function follow(id: string, stream = reader): AppendWatch {
      const watch = stream.watch(id);
      void watch.wait(0, LONG_MS, leave.signal);
      return watch;
    }

    /** Watches the followers of an execution without any, once the writer hears of them. */
    async function unfollowed(onArrival: () => void = () => undefined): Promise<FollowerWatch> {
      const watch = writer.watchFollowers(executionId, onArrival);
      await waitFor(() => !watch.hasFollowers, { description: 'the writer to hear' });
      return watch;
    }

    it('hears of a follower that comes, once', async () => {
      let arrivals = 0;
      const watch = await unfollowed(() => (arrivals += 1));
      const [first, second] = [follow(executionId), follow(executionId, open())];
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
      follow(randomUUID());
      expect(arrivals).toBe(1);
      for (const each of [first, second, watch]) each.close();
    });

    it('hears of a follower that was there before', async () => {
      const other = await unfollowed();
      follow(executionId);
      await waitFor(() => other.hasFollowers, { description: 'the follower' });
      expect(writer.watchFollowers(executionId, () => undefined).hasFollowers).toBe(true);
    });

    it('hears of a follower that came before this process', async () => {
      follow(executionId);
      writer.watchFollowers(randomUUID(), () => undefined);
      const later = open();
      const unknown = later.watchFollowers(randomUUID(), () => undefined);
      await waitFor(() => !unknown.hasFollowers, { description: 'the later writer to hear' });
      const watch = later.watchFollowers(executionId, () => undefined);
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
    });

    it('counts a client that waits for the settlement only as no follower', async () => {
      const watch = await unfollowed();
      reader.watchSettlement(executionId);
      const other = randomUUID();
      const followed = writer.watchFollowers(other, () => undefined);
      follow(other);
      await waitFor(() => followed.hasFollowers, { description: 'the follower of another execution' });
      expect(watch.hasFollowers).toBe(false);
    });

    it('counts every execution as followed while it is cut off, and hears again afterwards', async () => {
      const { cutWakeUps } = backend();
      if (cutWakeUps === null) return;
      let arrivals = 0;
      const watch = await unfollowed(() => (arrivals += 1));
      await cutWakeUps();
      await waitFor(() => arrivals > 0, { description: 'the loss to be reported' });
      await waitFor(() => !watch.hasFollowers, { description: 'the writer to hear again' });
      follow(executionId);
      await waitFor(() => watch.hasFollowers, { description: 'the follower' });
    });
  });
}
