import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionDispatchStore,
  PostgresJournal,
} from '#libs/persistence';
import type { ClaimResult, RunExecutionDependencies } from '#libs/executions';
import { DISPATCH_OPTIONS } from '../../persistence/persistence-world.js';
import { charging, ChargingWorld, RECEIPT } from '../charging-world.js';

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
});
afterAll(() => world.worker.close());

describe('an unreadable journal', () => {
  it('ends its execution, visibly', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    await world.worker.dataSource.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
       VALUES ($1, 1, 'default', 0, 1, 'tea_made', '{}')`,
      [id],
    );
    expect(await world.run(id, tool)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'INTERNAL_ERROR' },
    });
  });
});

describe('a journal whose facts contradict each other', () => {
  it('ends its execution, visibly', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    await world.worker.dataSource.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
       VALUES ($1, 1, 'default', 0, 1, 'tool_call_started', '{"round": 1, "position": 0}')`,
      [id],
    );
    expect(await world.run(id, tool)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
  });
});

describe('an execution that can never', () => {
  const tool = charging('ask', () => Promise.resolve(RECEIPT));
  const broken = () => Promise.reject(new TypeError('ours'));

  /** Returns claims without the preloaded state, so that the attempt has to load its context. */
  class BareClaims extends ExecutionClaimStore {
    override async claim(...call: Parameters<ExecutionClaimStore['claim']>): Promise<ClaimResult> {
      const result = await super.claim(...call);
      return result.kind === 'claimed' ? { ...result, state: null } : result;
    }
  }

  it('be loaded, ends', async () => {
    const id = await world.submit(tool);
    const contexts = Object.assign(new ExecutionContextStore(world.worker.dataSource), { load: broken });
    const claims = new BareClaims(world.worker.dataSource);
    expect(await world.run(id, tool, { contexts, claims })).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR' },
    });
  });

  it('be ended is kept by no worker and has to wait', async () => {
    const id = await world.submit(tool);
    const journalOf: RunExecutionDependencies['journalOf'] = (claim, retries, clock) =>
      Object.assign(new PostgresJournal(world.worker.writes, claim, clock, retries), {
        settle: broken,
      });
    await expect(world.run(id, tool, { journalOf })).rejects.toThrow('ours');
    const [row]: object[] = await world.worker.dataSource.query(
      'SELECT status, lease_owner, due_at > now() AS is_to_wait FROM execution WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ status: 'queued', lease_owner: null, is_to_wait: true });
  });
});

describe('a journal of a newer release', () => {
  it('is left to that release, however often it comes by, and is not poisoned by it', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    await world.worker.dataSource.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
       VALUES ($1, 1, 'default', 0, 99, 'tea_made', '{}')`,
      [id],
    );
    const wait = () =>
      world.worker.dataSource.query('UPDATE execution SET due_at = now() WHERE id = $1', [id]);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await world.run(id, tool)).toMatchObject({ status: 'queued', attempt });
      // A run before the delay has passed changes nothing.
      expect(await world.run(id, tool)).toMatchObject({ status: 'queued', attempt });
      await wait();
    }
    const [row]: object[] = await world.worker.dataSource.query(
      'SELECT lost_attempts, lease_owner FROM execution WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ lost_attempts: 0, lease_owner: null });
    const dispatches = new ExecutionDispatchStore(world.worker.dataSource);
    const due = async () => (await dispatches.take(DISPATCH_OPTIONS)).map((sent) => sent.executionId);
    expect(await world.run(id, tool)).toMatchObject({ status: 'queued', attempt: 6 });
    expect(await due()).not.toContain(id);
    await wait();
    expect(await due()).toContain(id);
    await world.worker.dataSource.query('DELETE FROM journal_entry WHERE execution_id = $1', [id]);
    expect(await world.run(id, tool)).toMatchObject({ status: 'completed' });
  });
});
