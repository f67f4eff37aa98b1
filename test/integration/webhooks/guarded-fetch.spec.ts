import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GuardedFetch } from '#libs/webhooks';
import { Receiver } from './receiver.js';

const MOST_READ = 64 * 1_024;

describe('what is read of an answer', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const closable of open.splice(0)) await closable.close();
  });

  /** Asks a server that answers this body, and answers what was read of it. */
  async function read(body: Buffer, headers: Record<string, string> = {}): Promise<Buffer> {
    const receiver = await Receiver.listen((_request, response) => {
      response.on('error', () => undefined);
      response.writeHead(200, headers).end(body);
    });
    const guarded = new GuardedFetch({ allowLoopback: true });
    open.push(guarded, receiver);
    const result = await guarded.request({ url: receiver.url, method: 'POST', headers: {}, body: '{}' });
    if (result.kind === 'unanswered') throw new Error(result.reason);
    return Buffer.from(result.body);
  }

  it('is the whole of it when it is short', async () => {
    const body = Buffer.alloc(MOST_READ, 'x');
    expect((await read(body)).equals(body)).toBe(true);
  });

  it.each([MOST_READ + 1, 100 * MOST_READ])('is 64 kB of %i bytes', async (length) => {
    expect(await read(Buffer.alloc(length, 'x'))).toHaveLength(MOST_READ);
  });

  it.each(['gzip', 'gzip, gzip'])(
    'is never decompressed: a bomb in %s stays as small as it came',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(32 * 1_024 * 1_024));
      const packed = encoding.split(', ').length > 1 ? gzipSync(bomb) : bomb;
      const body = await read(packed, { 'content-encoding': encoding });
      expect(body.equals(packed)).toBe(true);
      expect(body.length).toBeLessThan(MOST_READ);
    },
  );
});
