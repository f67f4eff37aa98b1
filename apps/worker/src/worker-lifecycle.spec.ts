import { afterEach, expect, it } from '@jest/globals';
import { reservePort } from '../../../test/support/services/reserve-port.js';
import { parseEnv } from '#libs/config';
import { Metrics } from '#libs/observability';
import type { BackgroundReleases, FairShareReserve, LeaseKeeper } from '#libs/executions';
import type { WorkerPresence } from '#libs/persistence';
import type { QueueHealth } from '#libs/queue';
import { waitFor } from '../../../test/support/services/wait-for.js';
import { WorkerHealth } from './health/worker-health.js';
import type { Housekeeper } from './housekeeping/housekeeper.js';
import type { WorkerRegistrar } from './queue/worker-registrar.js';
import { WorkerLifecycle } from './worker-lifecycle.js';

let lifecycle: WorkerLifecycle | undefined;
afterEach(() => lifecycle?.beforeApplicationShutdown());

it('a worker is ready when it takes jobs, not before', async () => {
  const port = await reservePort();
  let connected = (): void => undefined;
  const connecting = new Promise<void>((resolve) => (connected = resolve));
  const registrar = { start: () => connecting, stop: () => Promise.resolve(true), isRunning: true };
  lifecycle = new WorkerLifecycle(
    registrar as unknown as WorkerRegistrar,
    parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/any' }),
    port,
    { checkServer: () => Promise.resolve() } as unknown as QueueHealth,
    new WorkerHealth([], [], 60_000),
    new Metrics(),
  );
  const answerOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

  const starting = lifecycle.onApplicationBootstrap();
  await waitFor(() => answerOf('/healthz'), { description: 'the health server' });
  expect(await answerOf('/readyz')).toBe(503);

  connected();
  await starting;
  expect(await answerOf('/readyz')).toBe(200);
});

it('cuts off what outlasts the grace, also in the reserve, before it leaves', async () => {
  const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/any' });
  const steps: string[] = [];
  const note = (step: string) => (): Promise<void> => {
    steps.push(step);
    return Promise.resolve();
  };
  const stopping = new WorkerLifecycle(
    { stop: () => Promise.resolve(false) } as unknown as WorkerRegistrar,
    { ...config, worker: { ...config.worker, shutdownGraceMs: 1 } },
    null,
    {} as QueueHealth,
    new WorkerHealth([], [], 60_000),
    new Metrics(),
    { stop: note('housekeeping') } as unknown as Housekeeper,
    { stop: note('leave') } as unknown as WorkerPresence,
    { stop: () => new Promise(() => undefined) } as unknown as FairShareReserve,
    { settled: note('settled') } as unknown as BackgroundReleases,
    undefined,
    undefined,
    { cutOff: note('cut off') } as unknown as LeaseKeeper,
  );
  await stopping.beforeApplicationShutdown();
  expect(steps).toEqual(['housekeeping', 'cut off', 'settled', 'leave']);
});
