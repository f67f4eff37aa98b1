import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { boundHeapGrowth, describeStartFailure, Metrics } from '#libs/observability';
import { createApiApp } from './create-api-app.js';
import { listedDomains } from './domains.js';

/** After the grace period the process ends by itself, whatever hangs: correctness never depends on a clean end. */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

boundHeapGrowth();
try {
  const config = parseEnv(process.env, listedDomains);
  const app = await createApiApp(config);
  app.get(Metrics).addProcess();
  const { host, port } = config.http;
  // Not by `app.listen`, which would write the reason of a failure a second time, as an error of the log.
  const url = await app.getHttpAdapter().getInstance().listen({ host, port });
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  const stop = (): void =>
    void setTimeout(() => process.exit(1), config.worker.shutdownGraceMs + HARD_EXIT_AFTER_GRACE_MS).unref();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  console.log(`api ready: ${url}; docs on ${url}/docs`);
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}
