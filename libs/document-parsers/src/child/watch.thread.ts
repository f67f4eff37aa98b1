import { workerData } from 'node:worker_threads';

const LOOK_EVERY_MS = 100;
const { mostRssBytes, parentPid } = workerData as {
  readonly mostRssBytes: number;
  readonly parentPid: number;
};

setInterval(() => {
  if (process.ppid !== parentPid || process.memoryUsage.rss() > mostRssBytes)
    process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
