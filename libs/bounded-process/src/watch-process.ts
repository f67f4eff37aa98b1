import { Worker } from 'node:worker_threads';

/** Memory limit of a process, and the parent that it must not outlive. */
export interface WatchedLimits {
  /** Maximum resident memory in bytes, not only of the heap. */
  readonly mostRssBytes: number;
  readonly parentPid: number;
}

/**
 * Kills this process beyond the memory limit or after its parent has ended. Runs in a thread, so that a blocked main
 * thread cannot delay the check; a heap limit would not include buffers.
 */
export function watchProcess({ mostRssBytes, parentPid }: WatchedLimits): void {
  const workerData: WatchedLimits = { mostRssBytes, parentPid };
  new Worker(new URL('./watch.thread.js', import.meta.url), { workerData, execArgv: [] }).unref();
}
