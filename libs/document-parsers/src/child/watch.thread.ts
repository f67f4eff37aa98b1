import { workerData } from 'node:worker_threads';

const LOOK_EVERY_MS = 100;
/** Ends the process whatever its main thread does, and says that nobody else has done it. */
const OWN_SIGNAL = 'SIGUSR2';
const { mostRssBytes, parentPid } = workerData as {
  readonly mostRssBytes: number;
  readonly parentPid: number;
};

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > mostRssBytes)
    process.kill(process.pid, OWN_SIGNAL);
}, LOOK_EVERY_MS);
