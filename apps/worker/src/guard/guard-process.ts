import { Worker } from 'node:worker_threads';

export interface GuardOptions {
  /** How long the process may compute without a pause. */
  readonly hangLimitMs: number;
  /** Whom the process must not outlive; null for nobody. */
  readonly parentPid: number | null;
}

/** What the guarding thread gets. */
export interface GuardData extends GuardOptions {
  /** Goes up as long as the process comes to look at its events. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly lookEveryMs: number;
}

const LOOKS_PER_LIMIT = 10;

/**
 * Ends this process when it hangs, or outlives its parent, from a thread that nothing on the main one can hold up. A
 * worker that hangs holds on to what it claimed until its leases pass and takes nothing new: dead, it is replaced.
 */
export function guardProcess(options: GuardOptions): void {
  const lookEveryMs = options.hangLimitMs / LOOKS_PER_LIMIT;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref();
  const workerData: GuardData = { ...options, beats, lookEveryMs };
  new Worker(new URL('./guard.thread.js', import.meta.url), { workerData, execArgv: [] }).unref();
}
