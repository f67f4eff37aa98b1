// Loaded into a process under measurement (node --import): says what it holds and what it has used, over HTTP.
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const port = Number(process.env.BENCH_PROBE_PORT);
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const server = createServer((_request, response) => {
  // What the first collection only finalises, the second one frees.
  collectGarbage();
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  response.setHeader('content-type', 'application/json');
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  response.end(JSON.stringify({ rss, heapUsed, external, cpuMs: (user + system) / 1_000, sockets }));
});
server.listen(port, '127.0.0.1').unref();
