import { describe, expect, it } from '@jest/globals';
import { IncomingBody } from './incoming-body.js';

const KIB = 1_024;

/** A body, and what its connection was asked to do. */
function opened() {
  const asked: string[] = [];
  const body = new IncomingBody({
    pause: () => asked.push('pause'),
    resume: () => asked.push('resume'),
    abort: (reason) => asked.push(`abort: ${reason.message}`),
  });
  return { body, asked };
}

const bytes = (text: string) => Buffer.from(text);

async function read(body: IncomingBody): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

describe('the body of an answer', () => {
  it('is read in the order in which it came, whether it waited or is waited for', async () => {
    const { body, asked } = opened();
    body.push(bytes('a'));
    body.push(bytes('b'));
    const pieces = read(body);
    await Promise.resolve();
    body.push(bytes('c'));
    body.finish();
    expect(await pieces).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([]);
  });

  it('is empty where nothing came', async () => {
    const { body } = opened();
    body.finish();
    expect(await read(body)).toEqual([]);
  });

  it('breaks off for a reader that waits', async () => {
    const { body } = opened();
    const pieces = read(body);
    body.finish(new Error('gone'));
    await expect(pieces).rejects.toThrow('gone');
  });

  it('breaks off after the pieces that came before', async () => {
    const { body } = opened();
    body.push(bytes('a'));
    body.finish(new Error('gone'));
    expect(await body.next()).toEqual({ done: false, value: bytes('a') });
    await expect(body.next()).rejects.toThrow('gone');
  });

  it('keeps its first end', async () => {
    const { body } = opened();
    body.finish();
    body.finish(new Error('too late'));
    expect(await read(body)).toEqual([]);
  });
});

describe('the connection of a body', () => {
  it('pauses while more than 64 KiB wait, and goes on once all are read', async () => {
    const { body, asked } = opened();
    body.push(Buffer.alloc(64 * KIB));
    expect(asked).toEqual([]);
    body.push(bytes('a'));
    body.push(bytes('b'));
    expect(asked).toEqual(['pause']);

    await body.next();
    await body.next();
    expect(asked).toEqual(['pause']);
    await body.next();
    expect(asked).toEqual(['pause', 'resume']);
  });

  it('pauses again for a reader that is slow again', async () => {
    const { body, asked } = opened();
    for (let round = 0; round < 2; round += 1) {
      body.push(Buffer.alloc(65 * KIB));
      await body.next();
    }
    expect(asked).toEqual(['pause', 'resume', 'pause', 'resume']);
  });

  it('does not go on once it is broken', async () => {
    const { body, asked } = opened();
    body.push(Buffer.alloc(65 * KIB));
    body.finish(new Error('gone'));
    await body.next();
    expect(asked).toEqual(['pause']);
  });

  it('is closed by a reader that leaves early', async () => {
    const { body, asked } = opened();
    body.push(bytes('a'));
    body.push(bytes('b'));
    await body.next();
    await body.return();
    expect(asked).toEqual(['abort: the rest of the answer is not read']);
    expect(await body.next()).toEqual({ done: true, value: undefined });
  });

  it('stays open for the next request once all has come, also for a reader that leaves', async () => {
    const { body, asked } = opened();
    body.push(bytes('a'));
    body.finish();
    await body.return();
    expect(asked).toEqual([]);
    expect(await body.next()).toEqual({ done: true, value: undefined });
  });
});
