import { Worker } from 'node:worker_threads';

/** Memory limit of the process, and the parent that it must not outlive. */
export interface WatchedLimits {
  /** Maximum resident memory in bytes; covers more than the heap. */
  readonly mostRssBytes: number;
  readonly parentPid: number;
}

/**
 * Ends this process when it exceeds its memory or its parent has died. Runs in a separate thread, which a blocked main
 * thread cannot stop; a heap limit would not count buffers.
 */
export function watchProcess({ mostRssBytes, parentPid }: WatchedLimits): void {
  const workerData: WatchedLimits = { mostRssBytes, parentPid };
  new Worker(new URL('./watch.thread.js', import.meta.url), { workerData, execArgv: [] }).unref();
}
