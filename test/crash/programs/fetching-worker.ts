// A worker that may fetch documents from this machine, where the test decides how far a fetch comes. It replaces the port
// here, so that production code needs no hook.
import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { GuardedFetch } from '#libs/guarded-fetch';
import { systemClock } from '#libs/kernel';
import { DocumentFetcher } from '#libs/knowledge';
import { createLogger, setHeapGrowth } from '#libs/observability';
import { UrlFetcher } from '../../../apps/worker/src/ingest/url-fetcher.js';
import { stopOnSignal } from '../../../apps/worker/src/shutdown/shutdown.js';
import { createWorkerApp, WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { decorateProvider } from './decorate-provider.js';

setHeapGrowth('one');
const config = parseEnv(process.env);
const logger = createLogger('worker', config.logLevel);
const local = new GuardedFetch({ allowLoopback: true, timeoutMs: 120_000, mostReadBytes: 1_000_000 });
const made = WorkerModule.forRoot(config, logger);
const fetcher = new UrlFetcher(local, systemClock);
const module = decorateProvider<DocumentFetcher>(made, DocumentFetcher, () => fetcher);
stopOnSignal(await createWorkerApp(config, logger, module), config.worker.shutdownGraceMs);
