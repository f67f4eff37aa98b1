import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withExclusiveLock } from './exclusive-lock.mjs';
import { identifyProcess } from './process-identity.mjs';

describe('an exclusive lock', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-lock-'));
    file = join(folder, 'some.lock');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('lets one process work at a time, and names its holder', async () => {
    const steps: string[] = [];
    const mayEnd = Promise.withResolvers<undefined>();
    const first = withExclusiveLock(file, async () => {
      steps.push('first begins');
      await mayEnd.promise;
      steps.push('first ends');
    });
    const second = withExclusiveLock(
      file,
      async () => void steps.push('second'),
      (holder) => {
        steps.push(holder === process.pid ? 'waits for the first' : `waits for ${holder}`);
        mayEnd.resolve(undefined);
      },
    );
    await Promise.all([first, second]);

    expect(steps).toEqual(['first begins', 'waits for the first', 'first ends', 'second']);
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a process that was killed', async () => {
    const holder = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)']);
    await once(holder, 'spawn');
    writeFileSync(file, JSON.stringify(identifyProcess(holder.pid ?? 0)));
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;

    await expect(withExclusiveLock(file, async () => 'done')).resolves.toBe('done');
  });

  it('is taken over from a process whose id belongs to another process now', async () => {
    writeFileSync(file, JSON.stringify({ ...identifyProcess(process.pid), startedAt: 'long ago' }));

    await expect(withExclusiveLock(file, async () => 'done')).resolves.toBe('done');
  });

  it('is free again after work that failed', async () => {
    const failing = withExclusiveLock(file, () => Promise.reject(new Error('broken')));

    await expect(failing).rejects.toThrow('broken');
    await expect(withExclusiveLock(file, async () => 'done')).resolves.toBe('done');
  });
});
