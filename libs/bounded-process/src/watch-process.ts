import { Worker } from 'node:worker_threads';

/** What the process must not exceed, and whom it must not outlive. */
export interface WatchedLimits {
  /** Of all memory that the process has, not of its heap alone. */
  readonly mostRssBytes: number;
  readonly parentPid: number;
}

/**
 * Ends this process when it takes too much memory or outlives whom it works for, from a thread that nothing on the main one
 * can hold up: a limit of the heap knows nothing of buffers.
 */
export function watchProcess({ mostRssBytes, parentPid }: WatchedLimits): void {
  const workerData: WatchedLimits = { mostRssBytes, parentPid };
  new Worker(new URL('./watch.thread.js', import.meta.url), { workerData, execArgv: [] }).unref();
}
