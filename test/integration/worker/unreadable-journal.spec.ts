import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExecutionDispatchStore } from '#libs/persistence';
import { DISPATCH_OPTIONS } from '../persistence/persistence-world.js';
import { charging, ChargingWorld, RECEIPT } from './charging-world.js';

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
});
afterAll(() => world.worker.close());

describe('a journal that nobody can read', () => {
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
      // Whoever comes by too early leaves it alone.
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
