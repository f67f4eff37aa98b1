import { afterEach, expect, it } from '@jest/globals';
import { reservePort } from '../../../test/support/services/reserve-port.js';
import { parseEnv } from '#libs/config';
import { Metrics } from '#libs/observability';
import type { QueueHealth } from '#libs/queue';
import { waitFor } from '../../../test/support/services/wait-for.js';
import { WorkerHealth } from './health/worker-health.js';
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
