import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FileSandbox } from './file-sandbox.js';
import { readVerified, type SandboxRead } from './read-verified.js';

let home: string;
let root: string;
let outside: string;

/** Files outside the root contain `SECRET`, readable files contain `inside`. */
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'file-sandbox-')));
  root = join(home, 'files');
  outside = join(home, 'outside');
  await mkdir(join(root, 'sub', 'deep'), { recursive: true });
  await mkdir(join(home, 'filesx'));
  await mkdir(outside);
  await writeFile(join(root, 'a.txt'), 'inside');
  await writeFile(join(root, 'sub', 'deep', 'b.txt'), 'inside');
  await writeFile(join(home, 'filesx', 'a.txt'), 'SECRET');
  await writeFile(join(outside, 'a.txt'), 'SECRET');
  await symlink(outside, join(root, 'folder-out'));
  await symlink(join(outside, 'a.txt'), join(root, 'file-out'));
  await symlink(join(outside, 'nothing'), join(root, 'nothing-out'));
  await symlink('../outside/a.txt', join(root, 'relative-out'));
  await symlink('../files/sub', join(root, 'folder-in'));
  await symlink('a.txt', join(root, 'file-in'));
  await symlink('loop', join(root, 'loop'));
  await symlink('/', join(root, 'disk'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
});

afterAll(() => rm(home, { recursive: true }));

const STRATEGIES = [
  ['by descriptor', {}],
  ['by device and inode', { descriptorFolder: null }],
] as const;

const contentOf = (read: SandboxRead): string =>
  read.kind === 'read' ? Buffer.from(read.base64, 'base64').toString() : read.kind;

describe.each(STRATEGIES)('FileSandbox, %s', (_name, options) => {
  const read = async (path: string): Promise<string> =>
    contentOf(await new FileSandbox({ root, ...options }).read(path));

  it.each([
    '/files/a.txt',
    '/files//a.txt',
    '/files/./a.txt',
    '/files/sub/../a.txt',
    '/files/nothing/../a.txt',
    '/files/sub/deep/b.txt',
    '/files/folder-in/deep/b.txt',
    '/files/file-in',
  ])('reads %s (S0-39, S1-73)', async (path) => expect(await read(path)).toBe('inside'));

  it.each([
    '/files',
    '/files/',
    '/files/sub',
    '/files/pipe',
    '/files/loop',
    '/files/../outside/a.txt',
    '/files/sub/../../outside/a.txt',
    '/filesx/a.txt',
    'files/a.txt',
    '/files/file-out',
    '/files/relative-out',
    '/files/folder-out/a.txt',
    '/files/folder-out',
    '/files/disk/etc/passwd',
    `/files/${'a'.repeat(300)}`,
    '/files/a.txt\0.png',
  ])('refuses %j (S0-40, 3.D-13)', async (path) => expect(await read(path)).toBe('refused'));

  it.each(['/files/nothing', '/files/sub/nothing/b.txt', '/files/a.txt/b.txt'])(
    'says that %s is missing',
    async (path) => {
      expect(await read(path)).toBe('missing');
    },
  );

  it.each(['/files/nothing-out', '/files/folder-out/nothing', '/files/disk/nothing'])(
    'does not reveal through %s whether something exists outside',
    async (path) => expect(await read(path)).toBe('refused'),
  );

  it('accepts exactly 5 242 880 bytes and not one more (S0-41, S1-74)', async () => {
    const big = join(root, 'big');
    await writeFile(big, '');
    await truncate(big, 5_242_880);
    const sandbox = new FileSandbox({ root, ...options });
    expect(await sandbox.read('/files/big')).toMatchObject({ kind: 'read', size: 5_242_880 });
    await truncate(big, 5_242_881);
    expect(await sandbox.read('/files/big')).toEqual({ kind: 'refused' });
    await rm(big);
  });

  it('lets nothing out by any of a thousand hostile paths (S0-40)', async () => {
    const names = [
      'folder-out',
      'file-out',
      'nothing-out',
      'folder-in',
      'disk',
      'sub',
      'deep',
      'a.txt',
      'b.txt',
      'pipe',
    ];
    const odd = [
      '..',
      '.',
      '',
      '...',
      '%2e%2e',
      '..%2f',
      '\\..',
      '~',
      home,
      'outside',
      'files',
      'proc/self/root',
    ];
    const segment = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...odd), fc.string({ maxLength: 4 }));
    const start = fc.constantFrom('/files/', '/files', '/filesx/', '//files/', '/', '', './files/', home);
    const path = fc
      .tuple(start, fc.array(segment, { maxLength: 6 }))
      .map(([first, rest]) => first + rest.join('/'));
    await fc.assert(
      fc.asyncProperty(path, async (hostile) =>
        expect(['inside', 'missing', 'refused']).toContain(await read(hostile)),
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('FileSandbox', () => {
  it('has no files where there is no folder yet', async () => {
    const sandbox = new FileSandbox({ root: join(home, 'tenant-without-files') });
    expect(await sandbox.read('/files/a.txt')).toEqual({ kind: 'missing' });
  });

  it('follows a root that is itself a link', async () => {
    await symlink(root, join(home, 'link-to-root'));
    const sandbox = new FileSandbox({ root: join(home, 'link-to-root') });
    expect(contentOf(await sandbox.read('/files/a.txt'))).toBe('inside');
  });

  it.each(['/', '//', '/tmp/..', 'files', '', '.'])('does not begin with the root %j', (bad) => {
    expect(() => new FileSandbox({ root: bad })).toThrow('must be an absolute path');
  });

  it('lets nothing out while folders and files are swapped for links under its hands (S0-40)', async () => {
    const sandbox = new FileSandbox({ root });
    await mkdir(join(root, 'swapped'));
    await writeFile(join(root, 'swapped', 'a.txt'), 'inside');
    await symlink(outside, join(root, 'folder-parked'));
    const seen = new Set<string>();
    const readers = Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 250; count++) {
        seen.add(contentOf(await sandbox.read('/files/swapped/a.txt')));
        seen.add(contentOf(await sandbox.read('/files/swapped-file')));
      }
    });
    await Promise.all([...readers, swapFolder(500), swapFile(500)]);
    expect([...seen].filter((content) => !['inside', 'missing', 'refused'].includes(content))).toEqual([]);
  });
});

describe.each(STRATEGIES)('readVerified, %s', (_name, options) => {
  const descriptorFolder = 'descriptorFolder' in options ? options.descriptorFolder : '/proc/self/fd';

  it('believes the descriptor and not the path: a folder became a link after it was looked at', async () => {
    const target = join(root, 'folder-out', 'a.txt');
    expect(await readVerified(root, target, descriptorFolder, 100)).toEqual({ kind: 'refused' });
  });

  it('does not follow a file that became a link', async () => {
    expect(await readVerified(root, join(root, 'file-in'), descriptorFolder, 100)).toEqual({
      kind: 'refused',
    });
  });

  it('does not take a folder for inside whose name only begins alike', async () => {
    const target = join(home, 'filesx', 'a.txt');
    expect(await readVerified(root, target, descriptorFolder, 100)).toEqual({ kind: 'refused' });
  });

  it('counts the bytes it reads, independent of the size of the file when it was opened (S1-74)', async () => {
    // Files in `/proc` report size 0, but have content.
    const system = await realpath('/proc/self');
    const target = join(system, 'status');
    expect(await readVerified(system, target, descriptorFolder, 100_000)).toMatchObject({ kind: 'read' });
    expect(await readVerified(system, target, descriptorFolder, 10)).toEqual({ kind: 'refused' });
  });
});

it('refuses where the system does not show what a descriptor leads to although it should', async () => {
  expect(await readVerified(root, join(root, 'a.txt'), join(home, 'no-such-folder'), 100)).toEqual({
    kind: 'refused',
  });
});

async function swapFolder(times: number): Promise<void> {
  const [folder, parkedLink, parkedFolder] = ['swapped', 'folder-parked', 'parked'].map((name) =>
    join(root, name),
  );
  for (let count = 0; count < times; count++) {
    await rename(folder ?? '', parkedFolder ?? '');
    await rename(parkedLink ?? '', folder ?? '');
    await rename(folder ?? '', parkedLink ?? '');
    await rename(parkedFolder ?? '', folder ?? '');
  }
}

async function swapFile(times: number): Promise<void> {
  const [file, next] = [join(root, 'swapped-file'), join(root, 'next')];
  for (let count = 0; count < times; count++) {
    await writeFile(next, 'inside');
    await rename(next, file);
    await symlink(join(outside, 'a.txt'), next);
    await rename(next, file);
  }
}
