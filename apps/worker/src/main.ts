import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { describeStartFailure, Metrics, setHeapGrowth } from '#libs/observability';
import { createWorkerApp } from './worker.module.js';
import { guardProcess } from './guard/guard-process.js';
import { stopOnSignal } from './shutdown/shutdown.js';

setHeapGrowth('one');
try {
  const config = parseEnv(process.env);
  const app = await createWorkerApp(config);
  app.get(Metrics).addProcess();
  guardProcess({ hangLimitMs: config.worker.hangLimitMs, parentPid: null });
  stopOnSignal(app, config.worker.shutdownGraceMs);
  console.log(
    `worker ready: ${config.worker.roles.join(', ')}; health on http://${config.http.host}:${config.worker.healthPort}/healthz, metrics on /metrics`,
  );
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}
