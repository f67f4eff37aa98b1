import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { BodyArrivals, GUARDED_SERVER, guardProtocol } from '#libs/http-server';
import { readForm } from '../../../../apps/api/src/http/multipart/read-form.js';
import { takeForms } from '../../../../apps/api/src/http/multipart/take-forms.js';
import { waitFor } from '../../../support/services/wait-for.js';

const MIB = 1_048_576;
const BOUNDARY = 'x-boundary-x';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const FILE = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const LONG = 40 * MIB;

let server: FastifyInstance;
let now: number;
let arrivals: BodyArrivals;
/** Bytes of files that the handler has read; it reads no further part until `room` resolves, if there is one. */
let taken: number;
let room: PromiseWithResolvers<undefined> | null;
let broken: number;
let asked: IncomingMessage | null;

beforeEach(async () => {
  [now, taken, broken, room, asked] = [0, 0, 0, null, null];
  arrivals = new BodyArrivals({ monotonic: () => now });
  server = fastify({ ...GUARDED_SERVER, bodyLimit: LONG });
  guardProtocol(server, arrivals);
  takeForms(server);
  server.post('/texts', (_request, reply) => reply.send('whole'));
  server.post('/files', { config: { takesForms: true } }, async ({ raw }) => {
    asked = raw;
    const shape = { fields: {}, file: { name: 'file', mostBytes: LONG } };
    try {
      await readForm(raw, shape, async ({ bytes }) => {
        for await (const part of bytes) {
          taken += part.byteLength;
          await room?.promise;
        }
      });
      return 'whole';
    } catch (error) {
      broken += 1;
      throw error;
    }
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

/** Sends a request that announces `length` bytes of body and sends only `sent`. */
function begin(path: string, type: string, sent: string | Buffer, length = LONG): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(sent);
  return socket;
}

/** Advances the clock in steps of 1 s, with a sweep of the server after each step. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    now += 1_000;
    arrivals.sweep();
  }
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;
const took = (bytes: number) =>
  waitFor(() => taken >= bytes, { description: `${bytes} bytes to be taken in` });

describe('a body that comes slowly', () => {
  it('is refused after a minute where no file is sent', async () => {
    const socket = begin('/texts', 'application/json', '{"text": "');
    await new Promise((resolve) => server.server.once('request', resolve));
    pass(59);
    expect(isOpen(socket)).toBe(true);
    pass(1);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
  });

  it('is refused after a minute when a form is sent to a route without forms', async () => {
    const socket = begin('/texts', FORM, FILE);
    const answer = text(socket);
    await new Promise((resolve) => server.server.once('request', resolve));
    pass(61);
    expect(await answer).toMatch(/^HTTP\/1\.1 4(08|15) /);
  });

  it('as a file may take longer, by as much as it brings', async () => {
    const file = Buffer.concat([Buffer.from(FILE), Buffer.alloc(MIB, 'a')]);
    const socket = begin('/files', FORM, file);
    await took(MIB);
    pass(75);
    expect(isOpen(socket)).toBe(true);
    socket.write(Buffer.alloc(MIB, 'a'));
    await took(2 * MIB);
    pass(16);
    expect(isOpen(socket)).toBe(true);
    // The limit is 60 s plus 16 s for each of the two MiB, 92 s; 91 s have passed.
    pass(2);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    await waitFor(() => broken === 1, { description: 'the form to end' });
  });

  it('as a file that brings a byte now and then is refused after a minute', async () => {
    const socket = begin('/files', FORM, FILE);
    await new Promise((resolve) => server.server.once('request', resolve));
    for (let byte = 1; byte <= 30; byte += 1) {
      socket.write('a');
      await took(byte);
      pass(2);
    }
    pass(1);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is not refused for waits on the server', async () => {
    room = Promise.withResolvers<undefined>();
    const rest = Buffer.alloc(LONG - 1_000, 'a');
    const whole = Buffer.concat([Buffer.from(FILE), rest, Buffer.from(END)]);
    const socket = begin('/files', FORM, whole, whole.length);
    const isFull = () => asked !== null && asked.readableLength >= asked.readableHighWaterMark;
    await waitFor(isFull, { description: 'the client to wait' });
    pass(3_600);
    expect(isOpen(socket)).toBe(true);
    room.resolve(undefined);
    room = null;
    await took(rest.length);
    socket.end();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a request that came in time is left alone, however long its answer takes', async () => {
  const socket = begin('/files', FORM, `${FILE}a${END}`, `${FILE}a${END}`.length);
  await took(1);
  pass(600);
  socket.end();
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});
