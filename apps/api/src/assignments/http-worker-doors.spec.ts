import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpWorkerDoors } from './http-worker-doors.js';

const ASSIGNMENT = { executionId: 'an execution', token: 'a token' };

describe('workers at their addresses', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close();
  });

  /** A worker that answers so; returns its address, and the bodies that it gets. */
  async function worker(
    status: number,
    answer: string,
  ): Promise<{ address: string; bodies: string[]; server: Server }> {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        bodies.push(`${request.method} ${request.url} ${body}`);
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, server };
  }

  function doorsTo(...addresses: string[]): HttpWorkerDoors {
    const found = addresses.map((address, index) => ({ id: `w${index}`, address }));
    const doors = new HttpWorkerDoors({ findAddresses: () => Promise.resolve(found) });
    open.push(doors);
    return doors;
  }

  it('get what is handed over, and answer with their free slots', async () => {
    const { address, bodies } = await worker(200, '{"free":4}');
    const [door] = await doorsTo(address).find([]);
    expect([door?.workerId, await door?.hand([ASSIGNMENT])]).toEqual(['w0', 4]);
    expect(bodies).toEqual([
      'POST /executions {"worker":"w0","assignments":[{"execution_id":"an execution","token":"a token"}]}',
    ]);
  });

  it.each([
    ['refuse', 409, '{"status":"another worker"}'],
    ['answer something else', 200, '{"free":-1}'],
    ['answer no JSON', 200, '<html>'],
  ])('count as silent where they %s', async (_title, status, answer) => {
    const [door] = await doorsTo((await worker(status, answer)).address).find([]);
    await expect(door?.hand([ASSIGNMENT])).rejects.toThrow();
  });

  it('count as silent where nothing listens', async () => {
    const { address, server } = await worker(200, '{"free":4}');
    await new Promise((resolve) => server.close(resolve));
    const [door] = await doorsTo(address).find([]);
    await expect(door?.hand([ASSIGNMENT])).rejects.toThrow('ECONNREFUSED');
  });

  it('keep their connection while they are listed, and lose it after', async () => {
    const one = await worker(200, '{"free":4}');
    let listed = [{ id: 'w0', address: one.address }];
    const doors = new HttpWorkerDoors({ findAddresses: () => Promise.resolve(listed) });
    open.push(doors);
    const [first] = await doors.find([]);
    expect((await doors.find(['w0']))[0]).toBe(first);
    listed = [];
    expect(await doors.find(['w0'])).toEqual([]);
    await expect(first?.hand([])).rejects.toThrow();
  });
});
