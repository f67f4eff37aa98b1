import { Worker } from 'node:worker_threads';

export interface GuardOptions {
  /** Maximum time that the event loop may be blocked, in milliseconds. */
  readonly hangLimitMs: number;
  /** Parent process that this one must not outlive; null without one. */
  readonly parentPid: number | null;
}

/** Data for the guard thread. */
export interface GuardData extends GuardOptions {
  /** Counter that increases while the event loop runs. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly lookEveryMs: number;
}

const LOOKS_PER_LIMIT = 10;

/**
 * Kills this process from a separate thread when its event loop hangs or its parent has died. A hanging worker would keep
 * its claims until their leases expire and take no new work; a dead one is replaced.
 */
export function guardProcess(options: GuardOptions): void {
  const lookEveryMs = options.hangLimitMs / LOOKS_PER_LIMIT;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref();
  const workerData: GuardData = { ...options, beats, lookEveryMs };
  new Worker(new URL('./guard.thread.js', import.meta.url), { workerData, execArgv: [] }).unref();
}
