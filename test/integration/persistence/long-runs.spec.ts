import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

describe('a run of 40 minutes', () => {
  it('keeps its lease while its worker renews it, and loses it to another one after that (S4-3)', async () => {
    const { id } = await world.accept({
      request: { input: 'hi', options: { timeout_seconds: 3_600 }, additional_data: {} },
    });
    const claim = await world.claim(id);
    await world.dataSource.query(
      `UPDATE execution SET started_at = started_at - interval '40 minutes', deadline_at = deadline_at - interval '40 minutes'
        WHERE id = $1`,
      [id],
    );
    expect(await world.claims.renew([claim], 45_000)).toEqual(new Set([claim.token]));
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await world.expireLease(id);
    const { remainingMs } = await world.claim(id);
    expect(remainingMs).toBeGreaterThan(600_000);
    expect(remainingMs).toBeLessThanOrEqual(1_200_000);
    expect(await world.claims.renew([claim], 45_000)).toEqual(new Set());
  });
});
