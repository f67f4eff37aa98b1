import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { describeStartFailure, Metrics, setHeapGrowth } from '#libs/observability';
import { createApiApp } from './create-api-app.js';

/** Time after the grace period until a hanging process exits, in ms; correctness never depends on a clean shutdown. */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

setHeapGrowth('one');
try {
  const config = parseEnv(process.env);
  const app = await createApiApp(config);
  app.get(Metrics).addProcess();
  const { host, port } = config.http;
  // `app.listen` would also log the error that is printed below.
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
