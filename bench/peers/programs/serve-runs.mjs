// @ts-check
// Minimal HTTP server for peers without one, so that its share of the measurement stays small.
//   POST /run {"input": …}        202 {"id"}, at once
//   POST /run?wait {"input": …}   200 {"output"}, when the run has ended
//   GET /run/<id>                 200 {"output"}, when the run has ended
import { createServer } from 'node:http';

/**
 * @param {object} system
 * @param {(id: string, input: string, isWaiting: boolean) => Promise<unknown>} system.begin resolves when the run will
 *   happen; `isWaiting`: the same request waits for its end
 * @param {(id: string) => Promise<unknown>} system.untilEnded what the run came to
 */
export function serveRuns({ begin, untilEnded }) {
  const server = createServer((request, response) => {
    const send = (/** @type {number} */ status, /** @type {object} */ body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    answer(request, send).catch((error) => send(500, { error: String(error) }));
  });

  /** @param {import('node:http').IncomingMessage} request @param {(status: number, body: object) => void} send */
  const answer = async (request, send) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/readyz') return send(200, {});
    if (request.method === 'GET')
      return send(200, { output: await untilEnded(pathname.slice('/run/'.length)) });
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const id = String(request.headers['idempotency-key']);
    const isWaiting = search === '?wait';
    await begin(id, JSON.parse(text).input, isWaiting);
    return isWaiting ? send(200, { output: await untilEnded(id) }) : send(202, { id });
  };

  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}
