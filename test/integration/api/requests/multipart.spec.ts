import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readForm } from '../../../../apps/api/src/http/multipart/read-form.js';
import type { FormFile, FormShape } from '../../../../apps/api/src/http/multipart/form-shape.js';
import { toProblem } from '../../../../apps/api/src/http/problem-details.filter.js';
import { waitFor } from '../../../support/services/wait-for.js';

const SHAPE: FormShape = { fields: { title: 20, note: 10 }, file: { name: 'file', mostBytes: 1_000_000 } };
const BOUNDARY = 'x-boundary-x';

/** Consumes the file of a form; its result becomes `file` in the server's answer. */
interface Keeper {
  keep(file: FormFile): Promise<unknown>;
}

let server: Server;
let url: URL;
let keeper: Keeper;
/** Error codes of forms that failed; a client that has disconnected gets no answer with its code. */
const ended: string[] = [];

/** Reads a file to its end. */
async function whole({ bytes, announcedBytes: _announced, ...named }: FormFile): Promise<object> {
  let text = '';
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size < 100) text += Buffer.from(part).toString();
  }
  return { ...named, size, text };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    readForm(request, SHAPE, (file) => keeper.keep(file)).then(
      (form) => response.end(JSON.stringify(form)),
      (error: unknown) => {
        const problem = toProblem(error, 'request-1');
        ended.push(problem.code);
        response.statusCode = problem.status;
        response.end(JSON.stringify(problem));
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

interface Sent {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly errors?: unknown;
    readonly file?: unknown;
    readonly fields?: unknown;
  };
}

async function send(body: FormData | string | ReadableStream<Uint8Array>, type?: string): Promise<Sent> {
  const headers: Record<string, string> =
    body instanceof FormData ? {} : { 'content-type': type ?? `multipart/form-data; boundary=${BOUNDARY}` };
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const response = await fetch(url, { method: 'POST', body, headers, ...streamed });
  return { status: response.status, body: (await response.json()) as Sent['body'] };
}

function formOf(...parts: readonly (readonly [string, string | Blob, string?])[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (value instanceof Blob) form.append(name, value, fileName);
    else form.append(name, value);
  }
  return form;
}

const blob = (text: string): Blob => new Blob([text], { type: 'text/markdown' });
const bytesOf = (size: number): Blob => new Blob([Buffer.alloc(size, 'a')]);
const part = (head: string, value: string): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`;
const END = `--${BOUNDARY}--\r\n`;
const FILE_HEAD = 'content-disposition: form-data; name="file"; filename="a.txt"';

describe('a form', () => {
  it.each([
    ['before', formOf(['title', 'Orders'], ['file', blob('# Orders'), 'orders.md'])],
    ['behind', formOf(['file', blob('# Orders'), 'orders.md'], ['title', 'Orders'])],
  ])('has its fields %s the file', async (_where, form) => {
    keeper = { keep: whole };

    expect(await send(form)).toEqual({
      status: 200,
      body: {
        fields: { title: 'Orders' },
        file: { fileName: 'orders.md', mediaType: 'text/markdown', size: 8, text: '# Orders' },
      },
    });
  });

  it('keeps the signs of a name, and leaves out its path', async () => {
    keeper = { keep: whole };

    const { body } = await send(formOf(['file', blob(''), '../../Übersicht 報告.md']));

    expect(body.file).toMatchObject({ fileName: 'Übersicht 報告.md', size: 0 });
  });

  const fault = (name: string, detail: string) => [{ pointer: name === '' ? '#' : `#/${name}`, detail }];
  const tooLong = 'must be at most 1000000 bytes';

  it.each<[what: string, body: FormData | string, status: number, errors: unknown]>([
    ['no file', formOf(['title', 'x']), 400, fault('file', 'is required')],
    [
      'two files',
      formOf(['file', blob('a'), 'a'], ['file', blob('b'), 'b']),
      400,
      fault('file', 'must be given once'),
    ],
    ['a field twice', formOf(['title', 'a'], ['title', 'b']), 400, fault('title', 'must be given once')],
    ['another field', formOf(['colour', 'a']), 400, fault('colour', 'is not a known field')],
    ['a field of objects', formOf(['constructor', 'a']), 400, fault('constructor', 'is not a known field')],
    ['another file', formOf(['picture', blob('a'), 'a']), 400, fault('picture', 'is not a known field')],
    [
      'a file as a field',
      formOf(['title', blob('a'), 'a']),
      400,
      fault('title', 'must be a text, not a file'),
    ],
    ['a field as the file', formOf(['file', 'a']), 400, fault('file', 'must be a file, with a filename')],
    ['too long a field', formOf(['title', 'ä'.repeat(11)]), 413, fault('title', 'must be at most 20 bytes')],
    [
      'a field longer than its own bound',
      formOf(['note', 'x'.repeat(11)]),
      413,
      fault('note', 'must be at most 10 bytes'),
    ],
    ['a file one byte too long', formOf(['file', bytesOf(1_000_001), 'a']), 413, fault('file', tooLong)],
    ['a file far too long', formOf(['file', bytesOf(3_000_000), 'a']), 413, fault('file', tooLong)],
    ['nothing', '', 400, fault('', 'must be whole multipart/form-data')],
    ['a file without an end', part(FILE_HEAD, 'a'), 400, fault('', 'must be whole multipart/form-data')],
    [
      'a field without an end',
      part('content-disposition: form-data; name="title"', 'a'),
      400,
      fault('', 'must be whole multipart/form-data'),
    ],
    ['a part without a name', `${part('x-a: b', 'a')}${END}`, 400, fault('file', 'is required')],
    ['too many parts', `${part('x-a: b', 'a').repeat(4)}${END}`, 400, fault('', 'must have at most 3 parts')],
  ])('with %s is refused by field', async (_what, body, status, errors) => {
    keeper = { keep: whole };

    expect(await send(body)).toMatchObject({ status, body: { errors } });
  });

  it('without a boundary is refused', async () => {
    const { status, body } = await send('x', 'multipart/form-data');

    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { header: 'Content-Type', detail: 'must name the boundary of its multipart/form-data' },
    ]);
  });

  it('without a length is refused when it never ends', async () => {
    keeper = { keep: whole };
    const noise = new TextEncoder().encode('no part '.repeat(10_000));
    const endless = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await turn();
        controller.enqueue(noise);
      },
    });
    const { status, errors } = await refusalOf(endless);

    expect(status).toBe(413);
    expect(errors).toEqual([{ pointer: '#', detail: expect.stringMatching(/^must be at most \d+ bytes$/) }]);
  });

  it('ends with what its keeper throws, and the connection goes on', async () => {
    keeper = { keep: () => Promise.reject(new Error('the disk is full')) };

    expect(await send(formOf(['file', bytesOf(900_000), 'a']))).toMatchObject({ status: 500 });
    keeper = { keep: whole };
    expect(await send(formOf(['file', blob('a'), 'a']))).toMatchObject({ status: 200 });
  });
});

/** Sends a body that is still being streamed when the answer arrives. */
async function refusalOf(body: ReadableStream<Uint8Array>): Promise<{ status: number; errors: unknown }> {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const response = await fetch(url, { method: 'POST', body, headers, duplex: 'half' });
  const { errors } = (await response.json()) as { errors: unknown };
  return { status: response.status, errors };
}

describe('a client that', () => {
  /** Sends the beginning of a form: its headers announce more bytes than the `bytes` of the file that follow. */
  function begin(bytes: number): ReturnType<typeof connect> {
    const socket = connect(Number(url.port), url.hostname);
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n`;
    socket.write(`${head}Content-Length: 900000\r\n\r\n--${BOUNDARY}\r\n${FILE_HEAD}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes, 'a'));
    return socket;
  }

  it('goes away in the middle of a file ends it, and nothing of it is read on', async () => {
    const seen: string[] = [];
    keeper = {
      keep: async ({ bytes }) => {
        try {
          for await (const { length } of bytes) seen.push(length > 0 ? 'bytes' : '');
          seen.push('whole');
        } catch {
          seen.push('broken off');
        }
        throw new Error('nothing was kept');
      },
    };
    const before = ended.length;
    const socket = begin(100_000);
    await waitFor(() => seen.length > 0, { description: 'bytes of the file' });
    socket.destroy();

    await waitFor(() => ended.length > before, { description: 'the end of the form' });
    expect(seen.at(-1)).toBe('broken off');
    expect(ended.at(-1)).toBe('REQUEST_ABORTED');
  });

  it('sends faster than its file is kept has to wait', async () => {
    const opened = Promise.withResolvers<FormFile>();
    const released = Promise.withResolvers<undefined>();
    keeper = {
      keep: async (file) => {
        opened.resolve(file);
        await released.promise;
        return whole(file);
      },
    };
    const sent: number[] = [];
    const megabytes = 40;
    const big = { ...SHAPE, file: { ...SHAPE.file, mostBytes: megabytes * 1_048_576 } };
    const slow = createServer((request, response) => {
      void readForm(request, big, (file) => keeper.keep(file)).then(() => response.end('kept'));
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const source = new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(Buffer.from(`--${BOUNDARY}\r\n${FILE_HEAD}\r\n\r\n`)),
        pull: (controller) => {
          if (sent.length < megabytes - 1) controller.enqueue(Buffer.alloc(1_048_576, 'a'));
          else {
            controller.enqueue(Buffer.from(`\r\n${END}`));
            controller.close();
          }
          sent.push(1);
        },
      },
      { highWaterMark: 0 },
    );
    const { port } = slow.address() as AddressInfo;
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const answer = fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: source,
      headers,
      duplex: 'half',
    });
    await opened.promise;
    // Waits until the buffers of both kernels are full, that is, until the number of sent parts stays the same.
    let last = -1;
    await waitFor(
      async () => {
        for (let count = 0; count < 1_000; count += 1) await turn();
        const isStill = sent.length === last;
        last = sent.length;
        return isStill;
      },
      { description: 'the client to wait' },
    );
    expect(sent.length).toBeLessThan(megabytes);
    released.resolve(undefined);
    expect(await (await answer).text()).toBe('kept');
    slow.closeAllConnections();
    slow.close();
  });
});
