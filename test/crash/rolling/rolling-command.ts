import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import { buildNextRelease } from '../../support/services/next-release.js';
import { Guardian } from '../chaos/cluster/guardian.js';
import { PostgresServer } from '../chaos/cluster/postgres-server.js';
import type { Distribution } from '../chaos/report/distribution.js';
import { CRASH_WORKER } from '../services/crash-programs.js';
import { endingBreakages, timeBreakages, timesOf, type RollingBreakage } from './checks/evaluate-rolling.js';
import type { RollingWorld } from './rolling-world.js';
import { runRolling, type RollingOptions } from './run-rolling.js';

const USAGE = `usage: npm run rolling -- [--minutes N] [--every SECONDS] [--workers N] [--width N] [--upgrade] [--control drain]
  --minutes   how long workers are replaced, 4 by default
  --every     seconds between two of them, 30 by default; as long is measured before the first
  --width     executions at the same time, 12 by default
  --upgrade   the successors are of a release with a newer journal
  --control   drain: workers are killed; succeeds only if the checks notice`;
const WARM_UP_MS = 15_000;
/** The ratio to the p95 before the first restart that counts as a breach. */
const P95_LIMIT = 2;
/** The breaches that the control, which kills in place of draining, has to cause. */
const EXPECTED_OF_KILLING: readonly RollingBreakage['kind'][] = ['failed', 'lost'];

interface Plan extends Pick<RollingOptions, 'workers' | 'width' | 'replacements' | 'ending'> {
  readonly everyMs: number;
  readonly isUpgrade: boolean;
}

/** Runs a rolling restart by these arguments, prints the result and returns the exit code. */
export async function rollingCommand(args: readonly string[]): Promise<number> {
  const plan = readPlan(args);
  if (plan === null) {
    console.error(USAGE);
    return 2;
  }
  const { workers, width, replacements, everyMs } = plan;
  console.log(
    `rolling: ${workers} workers, ${width} executions at a time, one worker replaced every ${everyMs / 1_000} s, ${replacements} times`,
  );
  const world = await runGuarded(plan);
  report(world);
  const breakages = [...endingBreakages(world), ...timeBreakages(world, P95_LIMIT)];
  for (const { text } of breakages) console.log(`- ${text}`);
  return plan.ending === 'kill' ? evaluateControl(breakages) : evaluate(breakages);
}

/** Runs on a PostgreSQL of its own; leaves no process or folder behind, however it ends. */
async function runGuarded(plan: Plan): Promise<RollingWorld> {
  const home = mkdtempSync(join(tmpdir(), 'capstan-rolling-'));
  chmodSync(home, 0o711);
  const guardian = Guardian.start();
  guardian.guard({ folder: home });
  const interrupted = () => void guardian.finish().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const next = plan.isUpgrade ? await buildNextRelease() : null;
  if (next) guardian.guard({ folder: next.root });
  try {
    const postgres = await PostgresServer.start(join(home, 'postgres'));
    guardian.guard({ dataDirectory: join(home, 'postgres', 'data') });
    await migrate(postgres.url);
    await seed(postgres.url, 'default', { provider: 'openai', model: 'sim-script' });
    return await runRolling({
      ...plan,
      database: { url: postgres.url, drop: () => postgres.stop() },
      successor: next?.file(CRASH_WORKER) ?? null,
      warmUp: () => delay(WARM_UP_MS),
      untilNext: () => delay(plan.everyMs),
      onStarted: ({ pid }) => {
        guardian.guard({ pid });
      },
      onReplaced: ({ exitCode, drainMs }) => {
        console.log(`  replaced one: gone after ${drainMs} ms, exit code ${exitCode}`);
      },
    });
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await guardian.finish();
  }
}

function report(world: RollingWorld): void {
  const { before, since, ratio } = timesOf(world);
  const handedOver = world.executions.filter(({ attempt }) => attempt > 1).length;
  console.log(`before the first restart: ${describe(before)}`);
  console.log(`since:                    ${describe(since)}`);
  console.log(`p95: ${ratio?.toFixed(2)} times (limit ${P95_LIMIT}); handed over: ${handedOver}`);
  const slowest = world.executions
    .toSorted((one, other) => (other.tookMs ?? 0) - (one.tookMs ?? 0))
    .slice(0, 3);
  for (const { id, tookMs, attempt } of slowest)
    console.log(`among the slowest: ${id}, ${Math.round(tookMs ?? 0)} ms, attempt ${attempt}`);
}

function describe({ count, p50Ms, p95Ms, maxMs }: Distribution): string {
  return `${count} executions, p50 ${p50Ms} ms, p95 ${p95Ms} ms, at most ${maxMs} ms`;
}

function evaluate(breakages: readonly RollingBreakage[]): number {
  console.log(breakages.length === 0 ? 'Every execution completed, and in time.' : 'FAILED.');
  return breakages.length === 0 ? 0 : 1;
}

function evaluateControl(breakages: readonly RollingBreakage[]): number {
  const isNoticed = breakages.some(({ kind }) => EXPECTED_OF_KILLING.includes(kind));
  console.log(isNoticed ? 'The checks noticed, as they should.' : 'THE CHECKS DID NOT NOTICE.');
  return isNoticed ? 0 : 1;
}

function readPlan(args: readonly string[]): Plan | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '4' },
        every: { type: 'string', default: '30' },
        workers: { type: 'string', default: '3' },
        width: { type: 'string', default: '12' },
        upgrade: { type: 'boolean', default: false },
        control: { type: 'string' },
      },
    });
    const [minutes = NaN, every = NaN, workers = NaN, width = NaN] = [
      values.minutes,
      values.every,
      values.workers,
      values.width,
    ].map(Number);
    const replacements = Math.floor((minutes * 60) / every);
    if (!(replacements >= 1) || !(workers >= 2) || !(width >= 1)) return null;
    if (values.control !== undefined && values.control !== 'drain') return null;
    const ending = values.control === 'drain' ? 'kill' : 'drain';
    return { workers, width, replacements, ending, everyMs: every * 1_000, isUpgrade: values.upgrade };
  } catch {
    return null;
  }
}
