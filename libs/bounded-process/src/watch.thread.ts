import { workerData } from 'node:worker_threads';
import type { WatchedLimits } from './watch-process.js';

const LOOK_EVERY_MS = 100;
const { mostRssBytes, parentPid } = workerData as WatchedLimits;

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > mostRssBytes)
    process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
