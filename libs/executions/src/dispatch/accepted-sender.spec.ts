import { describe, expect, it } from '@jest/globals';
import { AcceptedSender } from './accepted-sender.js';

/** A queue that answers only when the test allows it. */
function aSender() {
  const sends: { readonly ids: readonly string[]; readonly end: PromiseWithResolvers<undefined> }[] = [];
  const requeued: string[] = [];
  const errors: unknown[] = [];
  const store = {
    isAway: false,
    requeue: (due: readonly { executionId: string }[]) => {
      if (store.isAway) return Promise.reject(new Error('the store is away'));
      requeued.push(...due.map(({ executionId }) => executionId));
      return Promise.resolve();
    },
  };
  let jobs = 0;
  const sender = new AcceptedSender({
    store,
    newJobId: () => `job ${(jobs += 1)}`,
    send: async (toSend) => {
      const end = Promise.withResolvers<undefined>();
      sends.push({ ids: toSend.map(({ payload }) => payload.executionId), end });
      await end.promise;
    },
    onError: (error) => errors.push(error),
    defer: setImmediate,
  });
  return { sender, sends, requeued, errors, store };
}

/** Lets all pending work run until it waits for the test. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const ID = (n: number) => `0190a000-0000-7000-8000-00000000000${n}`;

describe('sending what was accepted as sent', () => {
  it('sends together what was accepted at the same time, and is idle when all is sent', async () => {
    const { sender, sends } = aSender();
    sender.send(ID(1));
    sender.send(ID(2));
    let isIdle = false;
    const idle = sender.idle().then(() => (isIdle = true));
    await settled();
    expect([sends.map(({ ids }) => ids), isIdle]).toEqual([[[ID(1), ID(2)]], false]);
    sends[0]?.end.resolve(undefined);
    await idle;
    expect(isIdle).toBe(true);
  });

  it('has what it could not send due again, says so, and goes on', async () => {
    const { sender, sends, requeued, errors } = aSender();
    sender.send(ID(1));
    await settled();
    sends[0]?.end.reject(new Error('the queue is away'));
    await settled();
    expect([requeued, errors]).toEqual([[ID(1)], [new Error('the queue is away')]]);
    sender.send(ID(2));
    await settled();
    expect(sends[1]?.ids).toEqual([ID(2)]);
    sends[1]?.end.resolve(undefined);
    await sender.idle();
  });

  it('survives that it cannot be made due again either: its job counts as lost in time', async () => {
    const { sender, sends, store, errors } = aSender();
    store.isAway = true;
    sender.send(ID(1));
    await settled();
    sends[0]?.end.reject(new Error('the queue is away'));
    await sender.idle();
    expect(errors.map(String)).toEqual(['Error: the queue is away', 'Error: the store is away']);
  });
});
