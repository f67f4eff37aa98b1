import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureTenant, SessionChangesStore, WorkspaceFileStore } from '#libs/persistence';
import { WORKSPACE_LIMITS, type ExpectedFile, type WorkspaceOwner } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { emptyTables } from '../../support/services/empty-tables.js';
import { waitFor } from '../../support/services/wait-for.js';
import { PersistenceWorld } from './persistence-world.js';

const { files: mostFiles, fileBytes, totalBytes } = WORKSPACE_LIMITS;

let world: PersistenceWorld;
let files: WorkspaceFileStore;
let own: WorkspaceOwner;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  await ensureTenant(world.dataSource, 'stranger');
  files = new WorkspaceFileStore(world.dataSource);
});
beforeEach(async () => {
  await emptyTables(world.dataSource, 'workspace_file', 'workspace_write');
  own = await aSession();
});
afterAll(() => world.close());

async function aSession(tenantId = 'default'): Promise<WorkspaceOwner> {
  const sessionId = uuid();
  await world.dataSource.query('INSERT INTO chat_session (id, tenant_id) VALUES ($1, $2)', [
    sessionId,
    tenantId,
  ]);
  return { tenantId, sessionId };
}

async function waiting(): Promise<number> {
  const [row] = await world.dataSource.query<[{ count: number }]>(
    `SELECT count(*)::int FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return row.count;
}

const write = (
  path: string,
  content: string | Buffer,
  { owner = own, callKey = null }: { owner?: WorkspaceOwner; callKey?: string | null } = {},
) => files.write(owner, { path, bytes: Buffer.from(content), callKey });
const read = async (path: string, owner = own): Promise<string | null> => {
  const bytes = await files.read(owner, path);
  return bytes === null ? null : bytes.toString();
};

describe('a file of a workspace', () => {
  it('is written, replaced, listed by path, and deleted', async () => {
    expect([await write('b.txt', 'one'), await write('a/c.txt', ''), await write('b.txt', 'other')]).toEqual([
      ...['created', 'created', 'replaced'],
    ]);
    expect(await files.list(own)).toEqual({
      files: [
        { path: 'a/c.txt', bytes: 0 },
        { path: 'b.txt', bytes: 5 },
      ],
      isCut: false,
    });
    expect([await read('b.txt'), await read('none')]).toEqual(['other', null]);
    expect(await files.listPage(own, { limit: 1 })).toMatchObject({
      rows: [{ path: 'a/c.txt', size_bytes: 0 }],
      hasMore: true,
    });
    expect(await files.listPage(own, { limit: 1, afterPath: 'a/c.txt' })).toMatchObject({
      rows: [{ path: 'b.txt' }],
      hasMore: false,
    });
    expect([await files.delete(own, 'b.txt'), await files.delete(own, 'b.txt')]).toEqual([
      ...['deleted', 'not_found'],
    ]);
  });

  it('is answered as it was written', async () => {
    const put = (content: string) =>
      files.put(own, { path: 'a.txt', bytes: Buffer.from(content), callKey: null });
    const [first, second] = [await put('one'), await put('other')];
    const view = (content: string) => ({
      ...{ path: 'a.txt', size_bytes: content.length },
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(first).toMatchObject({ kind: 'created', file: view('one') });
    expect(second).toMatchObject({ kind: 'replaced', file: view('other') });
    expect(second).toMatchObject({ file: await files.find(own, 'a.txt') });
  });

  it('belongs to one session of one tenant', async () => {
    await write('a.txt', 'mine');
    const others = [await aSession(), { ...own, tenantId: 'stranger' }, await aSession('stranger')];
    for (const owner of others) {
      expect(await read('a.txt', owner)).toBeNull();
      expect(await files.find(owner, 'a.txt')).toBeNull();
      expect((await files.list(owner)).files).toEqual([]);
      expect((await files.listPage(owner, { limit: 9 })).rows).toEqual([]);
      expect(await files.delete(owner, 'a.txt')).toBe('not_found');
    }
    expect(await write('a.txt', 'theirs', { owner: { ...own, tenantId: 'stranger' } })).toBe('no_session');
    expect(await read('a.txt')).toBe('mine');
  });

  it('is gone with its session', async () => {
    await write('a.txt', 'x', { callKey: 'k' });
    expect(await new SessionChangesStore(world.dataSource).delete(own.tenantId, own.sessionId)).toBe(
      'deleted',
    );
    expect(await read('a.txt')).toBeNull();
    expect(await write('a.txt', 'x')).toBe('no_session');
  });

  it('has no path that is a folder or lies under a file', async () => {
    await write('a/b/c.txt', 'x');
    expect(await write('a', 'x')).toBe('path_taken');
    expect(await write('a/b', 'x')).toBe('path_taken');
    expect(await write('a/b/c.txt/d', 'x')).toBe('path_taken');
    expect([await write('a/b2', 'x'), await write('a_b', 'x'), await write('a%', 'x')]).toEqual([
      ...['created', 'created', 'created'],
    ]);
  });
});

describe('the writes of tools', () => {
  it('take effect once, however often and late the same call comes', async () => {
    expect(await write('a.txt', 'one', { callKey: 'k1' })).toBe('created');
    expect(await write('a.txt', 'two', { callKey: 'k2' })).toBe('replaced');
    expect(await write('a.txt', 'one', { callKey: 'k1' })).toBe('repeated');
    expect(await read('a.txt')).toBe('two');
    await files.delete(own, 'a.txt');
    expect(await write('a.txt', 'two', { callKey: 'k2' })).toBe('repeated');
    expect(await read('a.txt')).toBeNull();
  });

  it('take effect after a refusal, when there is room', async () => {
    await write('a', 'x');
    expect(await write('a/b', 'x', { callKey: 'k' })).toBe('path_taken');
    await files.delete(own, 'a');
    expect(await write('a/b', 'x', { callKey: 'k' })).toBe('created');
  });

  it('are one where the same call runs twice at the same time', async () => {
    const both = await Promise.all([1, 2].map(() => write('a.txt', 'x', { callKey: 'k' })));
    expect(both.sort()).toEqual(['created', 'repeated']);
  });
});

describe('the limits of a session', () => {
  it('hold for writes at the same time', async () => {
    await fill(mostFiles - 1);
    const written = await Promise.all(['x', 'y', 'z'].map((path) => write(path, '')));
    expect(written.sort()).toEqual(['created', 'too_many_files', 'too_many_files']);
    expect((await files.list(own)).files).toHaveLength(mostFiles);
    expect(await write('0', 'replaced')).toBe('replaced');
  });

  it('are for its own bytes alone', async () => {
    await fill(totalBytes / fileBytes, fileBytes);
    expect(await write('more', 'x')).toBe('too_many_bytes');
    expect(await write('more', '')).toBe('created');
    expect(await write('0', Buffer.alloc(fileBytes))).toBe('replaced');
    expect(await write('0', Buffer.alloc(fileBytes + 1))).toBe('too_many_bytes');
    expect(await write('more', 'x', { owner: await aSession() })).toBe('created');
  });
});

describe('the limit of a tenant', () => {
  const limited = (mostBytes: number) => new WorkspaceFileStore(world.dataSource, mostBytes);
  const put = (store: WorkspaceFileStore, owner: WorkspaceOwner, path: string, bytes: number) =>
    store.write(owner, { path, bytes: Buffer.alloc(bytes), callKey: null });

  it('holds over all of its sessions, and for writes at the same time', async () => {
    const [store, other] = [limited(10), await aSession()];
    await put(store, own, 'a', 6);
    expect(await put(store, other, 'b', 5)).toBe('tenant_full');
    const both = await Promise.all([put(store, other, 'b', 4), put(store, await aSession(), 'c', 4)]);
    expect(both.sort()).toEqual(['created', 'tenant_full']);
    expect(await put(store, await aSession('stranger'), 'a', 10)).toBe('created');
  });

  /** Another write of the tenant, far from its limit, that has not ended. */
  const besideWrite = (run: (manager: EntityManager) => Promise<void>) =>
    world.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock_shared(hashtext('workspace'), hashtext('default'))`);
      await run(manager);
    });

  it('lets writes far from it run at the same time', async () => {
    await besideWrite(async () => {
      expect(await put(limited(65 * fileBytes), own, 'a', fileBytes)).toBe('created');
    });
  });

  it('holds beside a write that began far from it', async () => {
    let written: Promise<string> | undefined;
    const other = await aSession();
    await besideWrite(async (manager) => {
      written = put(limited(64 * fileBytes), own, 'a', 1);
      await waitFor(async () => (await waiting()) > 0, { description: 'the write to wait' });
      await manager.query(
        `INSERT INTO workspace_file (session_id, path, tenant_id, size_bytes, content_hash, content)
         VALUES ($1, 'b', 'default', $2, ''::bytea, ''::bytea)`,
        [other.sessionId, 64 * fileBytes],
      );
    });
    expect(await written).toBe('tenant_full');
  });

  it('lets files become shorter beyond it', async () => {
    await put(limited(100), own, 'a', 60);
    await put(limited(100), own, 'b', 40);
    expect(await put(limited(10), own, 'a', 61)).toBe('tenant_full');
    expect(await put(limited(10), own, 'a', 60)).toBe('replaced');
    expect(await put(limited(10), own, 'a', 5)).toBe('replaced');
  });
});

describe('a change of expected bytes', () => {
  const hashOf = async (path: string) => (await files.find(own, path))?.sha256 ?? '';
  const change = (content: string, expected: ExpectedFile) =>
    files.write(own, { path: 'a.txt', bytes: Buffer.from(content), callKey: null, expected });

  it('takes effect only where the file has them', async () => {
    expect(await change('one', [''])).toBe('changed');
    await change('one', null);
    const one = await hashOf('a.txt');
    expect(await change('two', [one, 'another'])).toBe('replaced');
    expect([await change('three', [one]), await change('three', [])]).toEqual(['changed', 'changed']);
    expect(await files.delete(own, 'a.txt', [one])).toBe('changed');
    expect(await read('a.txt')).toBe('two');
    expect(await files.delete(own, 'a.txt', [await hashOf('a.txt')])).toBe('deleted');
    expect(await files.delete(own, 'a.txt', [one])).toBe('not_found');
    expect(await change('three', [one])).toBe('changed');
  });

  it('takes effect once for several that expect the same', async () => {
    await change('one', null);
    const one = await hashOf('a.txt');
    const all = await Promise.all(['x', 'y', 'z'].map((content) => change(content, [one])));
    expect(all.sort()).toEqual(['changed', 'changed', 'replaced']);
  });

  it('takes effect where no file is expected and there is none', async () => {
    expect(await change('one', 'none')).toBe('created');
    expect([await change('two', 'none'), await files.delete(own, 'a.txt', 'none')]).toEqual([
      ...['changed', 'changed'],
    ]);
    expect(await read('a.txt')).toBe('one');
    await files.delete(own, 'a.txt');
    expect(await files.delete(own, 'a.txt', 'none')).toBe('not_found');
    expect(await change('three', 'none')).toBe('created');
  });

  it('takes effect once for several that expect no file', async () => {
    const contents = ['x', 'y', 'z'];
    const all = await Promise.all(contents.map((content) => change(content, 'none')));
    expect(all.toSorted()).toEqual(['changed', 'changed', 'created']);
    expect(await read('a.txt')).toBe(contents[all.indexOf('created')]);
  });
});

async function fill(count: number, bytes = 0): Promise<void> {
  await world.dataSource.query(
    `INSERT INTO workspace_file (session_id, path, tenant_id, size_bytes, content_hash, content)
     SELECT $1, number::text, 'default', $3::int, ''::bytea, ''::bytea FROM generate_series(0, $2::int - 1) AS number`,
    [own.sessionId, count, bytes],
  );
}
