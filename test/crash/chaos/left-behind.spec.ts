import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../support/services/wait-for.js';

const PROGRAM = join(import.meta.dirname, 'chaos.mjs');
const TIMEOUT_MS = 120_000;

let outputFolder: string;
beforeEach(() => {
  outputFolder = mkdtempSync(join(tmpdir(), 'capstan-left-behind-'));
});
afterEach(() => {
  rmSync(outputFolder, { recursive: true, force: true });
});

function startChaos(path = process.env['PATH'] ?? ''): ChildProcess {
  const flags = ['--minutes', '1', '--seed', '1', '--backend', 'redis', '--output', outputFolder];
  return spawn(process.execPath, [PROGRAM, ...flags], {
    env: { ...process.env, PATH: path },
    stdio: 'ignore',
  });
}

function timeline(): { what: string; home?: string }[] {
  const file = join(outputFolder, 'timeline.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as { what: string; home?: string });
}

/** The processes with a folder of this run in their command line or environment. */
function processesOf(run: readonly string[], besides: number | undefined): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === besides) return false;
    const said = ['cmdline', 'environ'].map((file) => {
      try {
        return readFileSync(join('/proc', name, file), 'utf8');
      } catch {
        return '';
      }
    });
    return run.some((folder) => said.join().includes(folder));
  });
}

async function expectNothingLeft(run: readonly string[], runner: ChildProcess): Promise<void> {
  await waitFor(() => processesOf(run, runner.pid).length === 0, {
    description: 'all processes of the run to be gone',
  });
  const [home = ''] = run;
  await waitFor(() => !existsSync(home), { description: 'its folder to be gone' });
  expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(home);
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

describe('a run of chaos leaves nothing behind', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'when its runner gets %s',
    async (signal) => {
      const runner = startChaos();
      await waitFor(() => timeline().some(({ what }) => what === 'process ready'), {
        description: 'a process of the service to be ready',
        timeoutMs: 90_000,
      });
      const run = [timeline()[0]?.home ?? '', outputFolder];
      expect(processesOf(run, runner.pid).length).toBeGreaterThan(3);
      const end = ended(runner);
      runner.kill(signal);
      await end;
      await expectNothingLeft(run, runner);
    },
    TIMEOUT_MS,
  );

  it(
    'when it cannot start: its Redis does not',
    async () => {
      const program = join(outputFolder, 'redis-server');
      writeFileSync(program, '#!/bin/sh\nexit 1\n');
      chmodSync(program, 0o755);
      const runner = startChaos(`${outputFolder}:${process.env['PATH'] ?? ''}`);
      expect(await ended(runner)).toBe(1);
      await expectNothingLeft([timeline()[0]?.home ?? '', outputFolder], runner);
    },
    TIMEOUT_MS,
  );
});
