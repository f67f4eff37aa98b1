import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery } from '#libs/tooling';
import { InMemoryShelf } from '../../../support/fakes/in-memory-shelf.js';
import { SessionFiles } from '../../../../apps/worker/src/workspace/session-files.js';

const open = (path: string): Delivery => ({
  kind: 'open',
  file: { path, mimeType: 'text/plain', failureText: 'failed' },
});

const SESSION = '0198c0de-0000-7000-8000-000000000001';
const OTHER = '0198c0de-0000-7000-8000-000000000002';
const NOTHING = new InMemoryShelf();
const FAILED = [{ kind: 'text', text: 'failed' }];

describe('files of tools', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'capstan-files-'));
    for (const [tenant, session] of [
      ['one', SESSION],
      ['one', OTHER],
      ['two', SESSION],
    ] as const) {
      await mkdir(join(root, tenant, session), { recursive: true });
      await writeFile(join(root, tenant, session, 'note.txt'), `of ${tenant} ${session}`);
    }
    await writeFile(join(root, 'one', 'note.txt'), 'of nobody');
  });
  afterAll(() => rm(root, { recursive: true }));

  it('come from the folder of their own conversation (S0-39, S4-6)', async () => {
    const owner = { tenantId: 'one', sessionId: SESSION };
    const [file] = await new SessionFiles(root, NOTHING).open(owner, [open('/files/note.txt')]);
    expect(file).toMatchObject({ file: { filename: 'note.txt', base64: btoa(`of one ${SESSION}`) } });
    expect(await new SessionFiles(root, NOTHING).list(owner)).toEqual({
      path: '/files',
      files: [{ path: 'note.txt', bytes: 43, source: 'session' }],
      isCut: false,
    });
  });

  it.each([
    ['another tenant’s folder', 'one', SESSION, `/files/../../two/${SESSION}/note.txt`],
    ['another conversation’s folder', 'one', SESSION, `/files/../${OTHER}/note.txt`],
    ['the tenant’s own folder', 'one', SESSION, '/files/../note.txt'],
    ['a tenant whose name is a path', '../one', SESSION, '/files/note.txt'],
    ['a tenant whose name is empty', '', SESSION, '/files/note.txt'],
    ['a conversation whose name is a path', 'one', '..', '/files/note.txt'],
  ])('are not let out of %s (S0-40)', async (_name, tenantId, sessionId, path) => {
    expect(await new SessionFiles(root, NOTHING).open({ tenantId, sessionId }, [open(path)])).toEqual(FAILED);
  });

  it('are neither let out nor listed where no folder is configured', async () => {
    const owner = { tenantId: 'one', sessionId: SESSION };
    expect(await new SessionFiles(null, NOTHING).open(owner, [open('/files/note.txt')])).toEqual(FAILED);
    expect(await new SessionFiles(null, NOTHING).list(owner)).toMatchObject({ files: [] });
  });

  it('come from the database first, and are listed together with those of the folder', async () => {
    const owner = { tenantId: 'one', sessionId: SESSION };
    const stored = new InMemoryShelf();
    for (const path of ['note.txt', 'a/b.txt'])
      await stored.write(owner, { path, bytes: Buffer.from('stored'), callKey: null });
    const files = new SessionFiles(root, stored);
    expect((await files.list(owner)).files).toEqual([
      { path: 'a/b.txt', bytes: 6, source: 'session' },
      { path: 'note.txt', bytes: 6, source: 'session' },
    ]);
    expect(await files.open(owner, [open('/files/note.txt')])).toMatchObject([
      { file: { base64: btoa('stored') } },
    ]);
    expect(await files.read({ ...owner, sessionId: OTHER }, 'a/b.txt')).toBeNull();
    expect(String(await files.read({ ...owner, sessionId: OTHER }, 'note.txt'))).toBe(`of one ${OTHER}`);
  });
});
