// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuTimeOfFamily } from '../measure/cpu-time.mjs';
import { figure } from '../measure/figure.mjs';

const TEST = join(import.meta.dirname, '..', '..', 'scripts', 'test.mjs');
const AT_MOST_MINUTES = 15;
const WATCH_EVERY_MS = 1_000;

export const dailyTests = {
  key: 't',
  title: 'npm test, from installed packages to its last line',
  isOfAnyQueue: true,
  run: async () => {
    const begun = performance.now();
    const child = spawn(process.execPath, [TEST], { stdio: 'ignore' });
    let cpuMs = Number.NaN;
    // CPU time can only be read while a process runs; its ended children are included.
    const watch = setInterval(() => {
      const read = cpuTimeOfFamily(child.pid ?? 0);
      if (!Number.isNaN(read)) cpuMs = read;
    }, WATCH_EVERY_MS);
    const [code] = await once(child, 'exit');
    clearInterval(watch);
    if (code !== 0) throw new Error(`npm test ended with exit code ${code}: its time says nothing`);
    return [
      figure('wall', (performance.now() - begun) / 60_000, 'min', { atMost: AT_MOST_MINUTES }),
      figure('CPU of Jest and all that it waited for', cpuMs / 60_000, 'min'),
    ];
  },
};
