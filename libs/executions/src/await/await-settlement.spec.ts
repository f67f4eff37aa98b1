import { describe, expect, it } from '@jest/globals';
import { systemClock } from '#libs/kernel';
import { toExecutionResult, type ExecutionStatus, type ExecutionView } from '#libs/payloads';
import { anExecutionView } from '../../../../test/support/builders/execution-view.js';
import { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import { AwaitSettlement } from './await-settlement.js';

const LONG_MS = 60_000;
const never = new AbortController().signal;

const queued = anExecutionView({ status: 'queued', attempt: 0, started_at: null, finished_at: null });
const completed: ExecutionView = { ...queued, status: 'completed', attempt: 1 };
const reported = toExecutionResult(completed, { num_turns: 1, session_id: null, title_pending: false });
const result = { event: 'result', data: reported } as const;

interface Database {
  readonly find?: () => Promise<ExecutionView | null>;
  readonly statusOf?: () => Promise<ExecutionStatus | null>;
}

const down = () => Promise.reject(new Error('down'));

/** Waits for the execution `queued`. */
function makeWait({ find = down, statusOf = down }: Database = {}) {
  const stream = new InMemoryEventStream();
  let reads = 0;
  const executions = {
    find: () => {
      reads += 1;
      return find();
    },
  };
  const ids = { next: () => queued.id };
  const deps = { executions, statuses: { statusOf }, stream, ids, clock: systemClock };
  const awaited = new AwaitSettlement(deps).begin();
  const wait = (ms: number, signal = never, accepted = queued) =>
    awaited.settled('default', accepted, ms, signal).finally(() => awaited.close());
  return { stream, wait, reads: () => reads };
}

describe('waiting for an execution to settle', () => {
  it('ends with the result of the wake-up, and reads nothing', async () => {
    const { stream, wait, reads } = makeWait();
    const waiting = wait(LONG_MS);

    await stream.append(queued.id, 2, [
      { event: 'status', data: { status: 'running', attempt: 1 } },
      { event: 'text_delta', data: { content: 'x', round: 1 } },
    ]);
    await stream.append(queued.id, 4, [result]);

    expect(await waiting).toEqual(completed);
    expect(reads()).toBe(0);
  });

  it('ends with a result that came before the execution was known to be accepted, and reads nothing', async () => {
    const { stream, wait, reads } = makeWait();
    await stream.append(queued.id, 2, [result]);

    expect(await wait(LONG_MS)).toEqual(completed);
    expect(reads()).toBe(0);
  });

  it('looks at an execution that was accepted before, which may have settled since', async () => {
    const other = { ...queued, id: '01890a5d-ac96-774b-bcce-b302099a8058' };
    const { wait } = makeWait({ find: () => Promise.resolve({ ...completed, id: other.id }) });

    expect(await wait(LONG_MS, never, other)).toEqual({ ...completed, id: other.id });
  });

  it('listens for an execution that was accepted before', async () => {
    const other = { ...queued, id: '01890a5d-ac96-774b-bcce-b302099a8058' };
    const { stream, wait } = makeWait({ find: () => Promise.resolve(other) });
    const waiting = wait(LONG_MS, never, other);

    await stream.append(other.id, 2, [{ event: 'result', data: { ...reported, id: other.id } }]);

    expect(await waiting).toEqual({ ...completed, id: other.id });
  });

  it('looks when the execution may wait for a person, and goes on where one has decided', async () => {
    const parked: ExecutionView = { ...queued, status: 'requires_action' };
    const rows = [{ ...queued, status: 'running' } as const, parked];
    const { stream, wait, reads } = makeWait({ find: () => Promise.resolve(rows.shift() ?? null) });
    const waiting = wait(LONG_MS);
    const asks = { event: 'status', data: { status: 'requires_action', attempt: 1 } } as const;

    await stream.append(queued.id, 2, [asks]);
    await waitFor(() => reads() === 1, { description: 'the first look' });
    await stream.append(queued.id, 3, [asks]);

    expect(await waiting).toEqual(parked);
  });

  it('ends with what the row says where the stream has nothing', async () => {
    const { wait } = makeWait({
      find: () => Promise.resolve(completed),
      statusOf: () => Promise.resolve('completed'),
    });

    expect(await wait(LONG_MS)).toEqual(completed);
  });

  it('does not read the row of one that is under way', async () => {
    const answers: ExecutionStatus[] = ['queued', 'running'];
    const { wait, reads } = makeWait({
      find: () => Promise.resolve(completed),
      statusOf: () => Promise.resolve(answers.shift() ?? 'completed'),
    });

    expect(await wait(LONG_MS)).toEqual(completed);
    expect([answers, reads()]).toEqual([[], 1]);
  });

  it('ends with what is known when the time is over, also in an outage', async () => {
    const running: ExecutionView = { ...queued, status: 'running' };

    expect(await makeWait({ find: () => Promise.resolve(running) }).wait(1)).toEqual(running);
    expect(await makeWait().wait(1)).toEqual(queued);
  });

  it('ends at once when the client goes away', async () => {
    const client = new AbortController();
    const { wait } = makeWait();
    const waiting = wait(LONG_MS, client.signal);

    client.abort();

    expect(await waiting).toEqual(queued);
  });
});
