// @ts-check
// Loaded into a measured process (node --import): serves its memory, sockets and CPU time over HTTP.
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const port = Number(process.env.BENCH_PROBE_PORT);
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

const server = createServer((request, response) => {
  if (request.url === '/sockets') {
    response.end(JSON.stringify(countSockets()));
    return;
  }
  // The second collection frees objects that the first one finalised.
  collectGarbage();
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ rss, heapUsed, external, cpuMs: (user + system) / 1_000 }));
});
// Worker threads load this file, too; one port is enough.
if (isMainThread) server.listen(port, '127.0.0.1').unref();
