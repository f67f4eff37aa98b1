import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '../../support/services/wait-for.js';
import { PersistenceWorld } from './persistence-world.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

it('a claim knows what the lost attempt recorded while the claim waited for it', async () => {
  const { id } = await world.accept();
  await world.claim(id);
  await world.expireLease(id);
  const claiming = await world.dataSource.transaction(async (manager) => {
    await manager.query('SELECT FROM execution WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await manager.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
       VALUES ($1, 1, 'default', 1, 1, 'model_call_interrupted', '', '{"round": 1, "text": ""}')`,
      [id],
    );
    const claim = world.claim(id);
    await waitFor(async () => (await world.dataSource.query<unknown[]>(WAITING)).length > 0, {
      description: 'the claim to wait',
    });
    return { claim };
  });
  expect(await claiming.claim).toMatchObject({ attempt: 2, followsLostAttempt: false });
});
