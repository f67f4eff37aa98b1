export { guardProcess } from './guard/guard-process.js';
export { stopOnSignal } from './shutdown/shutdown.js';
export { WorkerLifecycle } from './worker-lifecycle.js';
export { createWorkerApp, WorkerModule } from './worker.module.js';
