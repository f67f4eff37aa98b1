import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fixedRate } from './fixed-rate.mjs';
import { createLoadClient } from './http-client.mjs';

const undos: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undos.splice(0).toReversed()) await undo();
});

/** A server that answers with these status codes in turn. */
async function aServer(codes: readonly number[]) {
  let asked = 0;
  const server: Server = createServer((_request, response) => {
    response.writeHead(codes[asked] ?? 500, { 'content-type': 'application/json' }).end('{}');
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undos.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const client = createLoadClient(`http://127.0.0.1:${port}`, 1);
  undos.push(() => client.close());
  return { perSecond: 1_000, count: codes.length, request: () => client.post('/', {}) };
}

describe('fixedRate', () => {
  it('measures what was answered, and counts what was refused for want of room', async () => {
    const { times, refused } = await fixedRate(await aServer([202, 503, 202, 429]));
    expect([times.length, refused]).toEqual([2, 2]);
  });

  it('breaks off at any other answer', async () => {
    await expect(fixedRate(await aServer([202, 500]))).rejects.toThrow('POST / answered 500: {}');
  });
});
