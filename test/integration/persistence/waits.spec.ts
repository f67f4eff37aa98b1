import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_RETRY, type Claim } from '#libs/executions';
import { aQueuedWait } from '../../support/builders/queued-wait.js';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

const SERVERS = { tools: { servers: ['crm'] } };

/** Sets the tools and the config of agent 1. */
async function agent({ tools = {}, config = {} }: { tools?: object; config?: object }): Promise<void> {
  await world.dataSource.query('UPDATE agent SET tools = $1, config = $2 WHERE id = 1', [
    JSON.stringify(tools),
    JSON.stringify(config),
  ]);
}
const view = async (id: string) => {
  const found = await world.executions.find('default', id);
  if (found === null) throw new Error('the execution is gone');
  return found;
};
/** Seconds until the execution's deadline and until its next try. */
const left = async (id: string) => {
  const [row] = await world.dataSource.query<{ deadline: number; due: number | null }[]>(
    `SELECT extract(epoch FROM deadline_at - now())::float8 AS deadline, extract(epoch FROM due_at - now())::float8 AS due
       FROM execution WHERE id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('the execution is gone');
  return row;
};
/** The stored deadline as the API shows times. */
const deadline = async (id: string) => {
  const [row] = await world.dataSource.query<{ deadline_at: Date | null }[]>(
    'SELECT deadline_at FROM execution WHERE id = $1',
    [id],
  );
  return row?.deadline_at?.toISOString();
};
const begin = (claim: Claim) => world.claims.begin(claim, NO_RETRY);

describe('an execution that waits for a tool server', () => {
  it('has not started, shows the wait over all its tries, and counts none of them', async () => {
    await agent(SERVERS);
    const { id } = await world.accept();
    const first = await world.claim(id);
    expect(first).toMatchObject({ attempt: 1, startedAtMs: null, waitingFor: null });
    const waiting = await world.claims.postpone(first, aQueuedWait({ waitedMs: 0 }));
    expect(await view(id)).toMatchObject({
      status: 'queued',
      attempt: 0,
      started_at: null,
      waiting_for: { ...waiting, deadline_at: await deadline(id) },
    });
    expect(waiting).toMatchObject({
      kind: 'tool_server',
      name: 'crm',
      message: expect.stringContaining('crm'),
    });
    expect(Date.parse(waiting?.next_try_at ?? '')).toBeGreaterThan(Date.parse(waiting?.since ?? '') + 59_000);

    await world.endDelay(id);
    const second = await world.claim(id);
    expect(second).toMatchObject({ attempt: 1, startedAtMs: null, waitingFor: { kind: 'tool_server' } });
    expect(await view(id)).toMatchObject({
      status: 'running',
      attempt: 0,
      started_at: null,
      waiting_for: { kind: 'tool_server' },
    });
    const again = await world.claims.postpone(second, aQueuedWait({ waitedMs: 0, message: 'still away' }));
    expect(again).toMatchObject({ since: waiting?.since, message: 'still away' });
    await world.endDelay(id);
    const third = await world.claim(id);
    expect(await world.claims.postpone(third, aQueuedWait({ name: 'shop', waitedMs: 0 }))).toMatchObject({
      name: 'shop',
    });

    await world.endDelay(id);
    const last = await world.claim(id);
    const startedAtMs = await begin(last);
    expect(await begin(last)).toBe(startedAtMs);
    expect(await view(id)).toMatchObject({
      status: 'running',
      attempt: 1,
      started_at: new Date(Math.floor(startedAtMs ?? 0)).toISOString(),
      waiting_for: null,
    });
    expect(await begin(first)).toBeNull();
  });

  it('counts an attempt that has brought it further before it waited', async () => {
    await agent(SERVERS);
    const { id } = await world.accept();
    const claim = await world.claim(id);
    const journal = postgresJournalOf(world, claim);
    await journal.read();
    await journal.append({
      entries: [{ kind: 'tool_call_started', round: 1, position: 0 }],
      runSteps: [],
    });
    await world.claims.postpone(claim, aQueuedWait());
    expect(await view(id)).toMatchObject({ attempt: 1 });
  });

  it('is waited for no longer than its time, which goes on', async () => {
    await agent(SERVERS);
    const { id } = await world.accept();
    const claim = await world.claim(id);
    await world.claims.postpone(claim, aQueuedWait({ delayMs: 3_600_000, waitedMs: 12_000 }));
    const { deadline, due } = await left(id);
    expect(deadline).toBeLessThanOrEqual(300);
    expect(due).toBeCloseTo(deadline, 3);
    await world.dataSource.query(
      `UPDATE execution SET due_at = now() - interval '9 seconds', deadline_at = now() - interval '8 seconds' WHERE id = $1`,
      [id],
    );
    const late = await world.claim(id);
    expect(late.startedAtMs).toBeNull();
    expect(late.remainingMs).toBeLessThan(-7_000);
  });

  it('has as much more time as it waits, where its agent says so, and no more than that', async () => {
    await agent({ ...SERVERS, config: { wait_for_tools_seconds: 100 } });
    const { id } = await world.accept();
    const put = async (delayMs: number, waitedMs: number | null) => {
      const before = (await left(id)).deadline;
      await world.claims.postpone(await world.claim(id), aQueuedWait({ delayMs, waitedMs }));
      await world.endDelay(id);
      return (await left(id)).deadline - before;
    };
    await world.claims.release(await world.claim(id));
    expect(await put(20_000, 12_000)).toBeGreaterThan(30);
    // `wait_for_tools_seconds` does not extend the deadline for other waits, here for a model.
    expect(await put(20_000, null)).toBeLessThanOrEqual(0);
    expect(await put(200_000, 12_000)).toBeLessThan(69);
    expect(await put(200_000, 12_000)).toBeLessThanOrEqual(0);
    expect((await left(id)).deadline).toBeGreaterThan(360);
  });
});

describe('the time of an execution', () => {
  it('goes on while it waits for a worker, or for its next attempt', async () => {
    await agent({});
    const { id } = await world.accept();
    await world.claims.requeueWithBackoff(await world.claim(id));
    await world.dataSource.query(
      `UPDATE execution SET due_at = now() - interval '100 seconds', deadline_at = deadline_at - interval '100 seconds' WHERE id = $1`,
      [id],
    );
    const { remainingMs } = await world.claim(id);
    expect(remainingMs).toBeLessThanOrEqual(200_000);
    expect(remainingMs).toBeGreaterThan(100_000);
  });
});

describe('the displayed wait of an execution', () => {
  it('is a worker or the turn before it, from its acceptance on; one without tool servers starts with its claim', async () => {
    await agent({});
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    expect(await view(first.id)).toMatchObject({
      started_at: null,
      waiting_for: { kind: 'slot', name: null, deadline_at: null },
    });
    expect(await view(second.id)).toMatchObject({
      waiting_for: { kind: 'conversation', name: first.sessionId },
    });
    await world.claim(first.id);
    expect(await view(first.id)).toMatchObject({
      status: 'running',
      attempt: 1,
      started_at: expect.any(String),
      waiting_for: null,
    });
  });

  it('is what its attempt says, as long as it holds the execution', async () => {
    await agent({});
    const { id } = await world.accept();
    const claim = await world.claim(id);
    const waiting = {
      kind: 'rate_limit',
      name: 'gpt',
      since: '2026-01-01T00:00:00.000Z',
      next_try_at: '2026-01-01T00:01:00.000Z',
      message: 'slow down',
    } as const;
    expect(await world.claims.showWait(claim, waiting)).toBe(true);
    expect((await view(id)).waiting_for).toEqual({ ...waiting, deadline_at: await deadline(id) });
    expect(await world.claims.showWait(claim, null)).toBe(true);
    expect((await view(id)).waiting_for).toBeNull();
    await world.claims.showWait(claim, waiting);
    await world.claims.release(claim);
    expect((await view(id)).waiting_for).toMatchObject({ kind: 'slot' });
    expect(await world.claims.showWait(claim, waiting)).toBe(false);
  });
});
