import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { atPace, SCALED } from './plan/times.js';
import { formatReport } from './report/format-report.js';
import { summarise } from './report/summarise.js';
import { runChaos } from './run-chaos.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TIMELINE_SHOWN = 40;

const outputFolder = mkdtempSync(join(tmpdir(), 'capstan-chaos-smoke-'));
afterAll(() => {
  rmSync(outputFolder, { recursive: true, force: true });
});

/** The short form of `npm run chaos`, which says more and takes longer. */
it('keeps every promise while everything is killed under load', async () => {
  const result = await runChaos({
    seed: 1,
    backend: 'postgres',
    durationMs: 40_000,
    width: 8,
    control: null,
    // Half the usual rate of faults: beside other tests, a slow machine would only be starting processes.
    times: { ...atPace(SCALED, 2), drainLimitMs: 180_000 },
    outputFolder,
    root: ROOT,
  });
  if (result.violations.length > 0) {
    const timeline = readFileSync(join(outputFolder, 'timeline.ndjson'), 'utf8').trimEnd().split('\n');
    const report = formatReport(summarise(result), result.violations);
    throw new Error([report, ...timeline.slice(-TIMELINE_SHOWN)].join('\n'));
  }
  expect(result.world.submissions.length).toBeGreaterThan(10);
  expect(result.faults.length).toBeGreaterThan(10);
}, 360_000);
