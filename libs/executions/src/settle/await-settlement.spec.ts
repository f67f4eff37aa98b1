import { describe, expect, it } from '@jest/globals';
import { systemClock } from '#libs/kernel';
import { toExecutionResult, type ExecutionView } from '#libs/payloads';
import { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { AwaitSettlement } from './await-settlement.js';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';

const LONG_MS = 60_000;
const never = new AbortController().signal;

const queued = anExecutionView({ status: 'queued', attempt: 0, started_at: null, finished_at: null });
const completed: ExecutionView = { ...queued, status: 'completed', attempt: 1 };
const reported = toExecutionResult(completed, { num_turns: 1, session_id: null, title_pending: false });

function makeWaiter(find: () => Promise<ExecutionView | null>) {
  const stream = new InMemoryEventStream();
  const waiter = new AwaitSettlement({ find }, stream, systemClock);
  return { stream, wait: (ms: number, signal = never) => waiter.execute('default', queued, ms, signal) };
}

describe('waiting for an execution to settle', () => {
  it('ends with the result of the stream, though the row is not readable', async () => {
    const { stream, wait } = makeWaiter(() => Promise.reject(new Error('down')));
    const waiting = wait(LONG_MS);

    await stream.append(queued.id, 2, [
      { event: 'status', data: { status: 'running', attempt: 1 } },
      { event: 'result', data: reported },
    ]);

    expect(await waiting).toEqual(completed);
  });

  it('ends with the result that the stream had before', async () => {
    const { stream, wait } = makeWaiter(() => Promise.resolve(queued));
    const text = { event: 'text_delta', data: { content: 'x', round: 1 } } as const;
    await stream.append(
      queued.id,
      2,
      Array.from({ length: 450 }, () => text),
    );
    await stream.append(queued.id, 452, [{ event: 'result', data: reported }]);

    expect(await wait(LONG_MS)).toEqual(completed);
  });

  it('ends with what the row says where the stream has nothing', async () => {
    const { wait } = makeWaiter(() => Promise.resolve(completed));

    expect(await wait(LONG_MS)).toEqual(completed);
  });

  it('ends with what is known when the time is over, also in an outage', async () => {
    const running: ExecutionView = { ...queued, status: 'running' };

    expect(await makeWaiter(() => Promise.resolve(running)).wait(1)).toEqual(running);
    expect(await makeWaiter(() => Promise.reject(new Error('down'))).wait(1)).toEqual(queued);
  });

  it('ends at once when the client goes away', async () => {
    const client = new AbortController();
    const { wait } = makeWaiter(() => Promise.resolve(queued));
    const waiting = wait(LONG_MS, client.signal);

    client.abort();

    expect(await waiting).toEqual(queued);
  });
});
