import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimEnvironment, listEnvironments } from './claim-environment.ts';

const MODULE = new URL('claim-environment.ts', import.meta.url).href;

describe('the environment of a run', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'capstan-environments-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('shares nothing with that of another run at the same time, in this checkout or in another', async () => {
    const other = mkdtempSync(join(tmpdir(), 'capstan-environments-'));
    const claims = await Promise.all([
      claimEnvironment(root, 'quickstart'),
      claimEnvironment(root, 'dev'),
      claimEnvironment(root, 'quickstart'),
    ]);
    const elsewhere = await claimEnvironment(other, 'quickstart');
    rmSync(other, { recursive: true, force: true });

    expect(claims.map(({ number }) => number).toSorted()).toEqual([1, 2, 3]);
    const distinct = (values: readonly string[]) => new Set(values).size;
    expect(distinct(claims.map(({ database }) => database))).toBe(3);
    // Each checkout has its own database server; Redis may be shared.
    expect(distinct([...claims, elsewhere].map(({ folder }) => folder))).toBe(4);
    expect(distinct([...claims, elsewhere].map(({ redisNamespace }) => redisNamespace))).toBe(4);
  });

  it('is that of the run before, with what was there, and lists who has it', async () => {
    const first = await claimEnvironment(root, 'quickstart');
    const second = await claimEnvironment(root, 'dev');
    first.release();

    const again = await claimEnvironment(root, 'quickstart');

    expect(again).toMatchObject({ number: 1, folder: first.folder, database: first.database });
    second.release();
    expect(listEnvironments(root).map(({ place, owner }) => [place.number, owner?.command])).toEqual([
      [1, 'quickstart'],
      [2, undefined],
    ]);
  });

  it('is taken over from a command that was killed', async () => {
    const program = `
      const { claimEnvironment } = await import('${MODULE}');
      console.log((await claimEnvironment(${JSON.stringify(root)}, 'quickstart')).number);
      setInterval(Object, 1000);`;
    const command = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [number] = (await once(createInterface({ input: command.stdout }), 'line')) as [string];
    expect(number).toBe('1');
    expect(listEnvironments(root)).toMatchObject([{ owner: { pid: command.pid, command: 'quickstart' } }]);

    const ended = once(command, 'exit');
    command.kill('SIGKILL');
    await ended;

    expect(await claimEnvironment(root, 'quickstart')).toMatchObject({ number: 1 });
  });
});
