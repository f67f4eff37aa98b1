import { Worker } from 'node:worker_threads';

/**
 * Ends this process when it takes too much memory or outlives whom it works for, from a thread that nothing on the main one
 * can hold up: a limit of the heap knows nothing of buffers.
 */
export function watchProcess(limits: { readonly mostRssBytes: number; readonly parentPid: number }): void {
  new Worker(new URL('./watch.thread.js', import.meta.url), { workerData: limits, execArgv: [] }).unref();
}
