import { workerData } from 'node:worker_threads';
import type { WatchedLimits } from './watch-process.js';

const LOOK_EVERY_MS = 100;
/** Ends the process even if its main thread is blocked, and distinguishes this from a kill from outside. */
const OWN_SIGNAL = 'SIGUSR2';
const { mostRssBytes, parentPid } = workerData as WatchedLimits;

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > mostRssBytes)
    process.kill(process.pid, OWN_SIGNAL);
}, LOOK_EVERY_MS);
