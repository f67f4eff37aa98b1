import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { describeStartFailure } from '#libs/observability';
import { createWorkerApp } from './create-worker-app.js';

/** After the grace period the process ends by itself, whatever hangs: correctness never depends on a clean end. */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

try {
  const config = parseEnv(process.env);
  const app = await createWorkerApp(config);
  const stop = (): void => {
    setTimeout(() => process.exit(1), config.worker.shutdownGraceMs + HARD_EXIT_AFTER_GRACE_MS).unref();
    void app.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  console.log(
    `worker ready: ${config.worker.roles.join(', ')}; health on http://${config.http.host}:${config.worker.healthPort}/healthz`,
  );
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}
