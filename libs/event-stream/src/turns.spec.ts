import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

/** A work that ends when it is asked to. */
function work(turns: Turns, begun: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<null>();
  const run = turns.run(async () => {
    begun.push(name);
    await promise;
    return name;
  });
  return { run, end: () => resolve(null) };
}

describe('Turns', () => {
  it('lets only so many run at once, the others in their order', async () => {
    const turns = new Turns(2, 10_000);
    const begun: string[] = [];
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(turns, begun, name));
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b']);
    b?.end();
    await b?.run;
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const each of [a, c, d]) each?.end();
    expect(await Promise.all([a?.run, c?.run, d?.run])).toEqual(['a', 'c', 'd']);
  });

  it('gives the turn on when a work fails', async () => {
    const turns = new Turns(1, 10_000);
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(() => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('lets nobody wait for ever', async () => {
    const turns = new Turns(1, 5);
    const begun: string[] = [];
    const hung = work(turns, begun, 'hung');
    await expect(turns.run(() => Promise.resolve('late'))).rejects.toThrow('no turn within 5 ms');
    hung.end();
    await hung.run;
    expect(await turns.run(() => Promise.resolve('later'))).toBe('later');
  });
});
