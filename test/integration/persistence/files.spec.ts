import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FileStore } from '#libs/persistence';
import { v7 as uuid } from 'uuid';
import { PersistenceWorld } from './persistence-world.js';
import { emptyTables } from '../../support/services/empty-tables.js';

const BOUNDS = { quota: { files: 3, bytes: 100 }, retentionMs: 60_000 };

let world: PersistenceWorld;
let files: FileStore;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  files = new FileStore(world.dataSource);
});
beforeEach(() => emptyTables(world.dataSource, 'file', 'blob_disposal'));
afterAll(() => world.close());

async function create(sizeBytes = 1): Promise<string> {
  const id = uuid();
  const original = { blobKey: `default/${id}`, sizeBytes, contentHash: Buffer.alloc(32) };
  const file = { id, tenantId: 'default', name: 'a.txt', mediaType: 'text/plain', original, expiresAt: null };
  expect(await files.create(file, BOUNDS)).toMatchObject({ kind: 'created' });
  return id;
}

async function expire(id: string, minutesAgo: number): Promise<void> {
  const sql = `UPDATE file SET expires_at = now() - $2 * interval '1 minute' WHERE id = $1`;
  await world.dataSource.query(sql, [id, minutesAgo]);
}

async function acceptWith(...ids: readonly string[]): Promise<string> {
  const additional_data = { attachments: ids.map((id) => ({ id })) };
  return (await world.accept({ request: { input: 'hello', options: {}, additional_data } })).id;
}

const disposed = async (): Promise<string[]> => {
  const rows = await world.dataSource.query<{ blob_key: string }[]>(
    'SELECT blob_key FROM blob_disposal WHERE due_at <= now() ORDER BY blob_key',
  );
  return rows.map(({ blob_key }) => blob_key);
};

describe('the bytes of a file that has expired', () => {
  it('stay for a while, for what is being accepted, and then go', async () => {
    const [now, before] = [await create(), await create()];
    await create();
    await expire(now, 1);
    await expire(before, 3);
    expect(await files.disposeExpired(10)).toBe(1);
    expect(await disposed()).toEqual([`default/${before}`]);
  });

  it('stay until the last execution that uses it has ended, also after it expired', async () => {
    const [held, other] = [await create(), await create()];
    const executionId = await acceptWith(held);
    await expire(held, 9);
    await expire(other, 3);
    expect(await files.disposeExpired(1)).toBe(1);
    expect(await disposed()).toEqual([`default/${other}`]);
    expect(await files.disposeExpired(10)).toBe(0);
    for (const status of ['running', 'requires_action']) {
      await world.dataSource.query(`UPDATE execution SET status = $2 WHERE id = $1`, [executionId, status]);
      expect(await files.disposeExpired(10)).toBe(0);
    }
    await world.dataSource.query(`UPDATE execution SET status = 'cancelled' WHERE id = $1`, [executionId]);
    expect(await files.disposeExpired(10)).toBe(1);
    expect(await disposed()).toContain(`default/${held}`);
  });
});

describe('the room of a tenant', () => {
  it('is free as soon as a file is deleted, but not where something holds it', async () => {
    const [a, b] = [await create(), await create()];
    await create();
    await acceptWith(b);
    for (const id of [a, b]) expect(await files.delete('default', id, null)).toBe('deleted');
    await expire(b, 9);
    await create();
    const original = { blobKey: 'default/x', sizeBytes: 1, contentHash: Buffer.alloc(32) };
    const more = {
      id: uuid(),
      tenantId: 'default',
      name: 'a',
      mediaType: 'text/plain',
      original,
      expiresAt: null,
    };
    expect(await files.create(more, BOUNDS)).toEqual({ kind: 'over_quota', bound: 'files' });
  });
});

it('a blob that a file has taken over is to be removed no longer', async () => {
  const id = uuid();
  const sql = `INSERT INTO blob_disposal (tenant_id, blob_key) VALUES ('default', $1)`;
  await world.dataSource.query(sql, [`default/${id}`]);
  const original = { blobKey: `default/${id}`, sizeBytes: 1, contentHash: Buffer.alloc(32) };
  await files.create(
    { id, tenantId: 'default', name: 'a', mediaType: 'text/plain', original, expiresAt: null },
    BOUNDS,
  );
  expect(await disposed()).toEqual([]);
});
