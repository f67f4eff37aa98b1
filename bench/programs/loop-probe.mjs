// @ts-check
// Loaded into a measured process (node --import): serves the longest delay of its event loop over HTTP.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const LOOK_EVERY_MS = 5;

/** Longest uninterrupted work of the event loop, in CPU ms, which a busy machine does not increase. */
let mostCpuMs = 0;
let before = process.threadCpuUsage();

function look() {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  mostCpuMs = Math.max(mostCpuMs, (user + system) / 1_000);
}

// Worker threads load this file, too; one port is enough.
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  setInterval(look, LOOK_EVERY_MS).unref();
  const server = createServer((request, response) => {
    response.end(JSON.stringify({ mostCpuMs, mostDelayMs: delays.max / 1e6 }));
    if (request.url !== '/reset') return;
    mostCpuMs = 0;
    delays.reset();
  });
  server.listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1').unref();
}
