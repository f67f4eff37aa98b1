import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

const AT_ONCE = 1;
const endless = (): AbortSignal => new AbortController().signal;

/** Enters for each name, and returns the names that are in, in order of entry. */
function entering(turns: Turns, names: readonly string[]): string[] {
  const inside: string[] = [];
  for (const name of names)
    void turns.enter(AT_ONCE, endless).then((isInside) => isInside && inside.push(name));
  return inside;
}

const settled = async (): Promise<void> => {
  for (let step = 0; step < 5; step += 1) await Promise.resolve();
};

describe('Turns', () => {
  it('lets only so many in at once, the others in the order of their coming', async () => {
    const turns = new Turns();
    const inside = entering(turns, ['a', 'b', 'c']);
    await settled();
    expect(inside).toEqual(['a']);
    turns.leave(AT_ONCE);
    // A later one waits behind those already in line.
    const later = entering(turns, ['d']);
    await settled();
    expect([...inside, ...later]).toEqual(['a', 'b']);
    turns.leave(AT_ONCE);
    await settled();
    expect([...inside, ...later]).toEqual(['a', 'b', 'c']);
    turns.leave(AT_ONCE);
    await settled();
    expect([...inside, ...later]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses a work when its signal is aborted first, and forgets it', async () => {
    const turns = new Turns();
    await turns.enter(AT_ONCE, endless);
    const waitSignal = new AbortController();
    const waiting = turns.enter(AT_ONCE, () => waitSignal.signal);
    waitSignal.abort();
    expect(await waiting).toBe(false);
    expect(await turns.enter(AT_ONCE, () => AbortSignal.abort())).toBe(false);
    turns.leave(AT_ONCE);
    expect(turns.isEmpty).toBe(true);
  });

  it('refuses what comes when too many wait', async () => {
    const turns = new Turns(1);
    await turns.enter(AT_ONCE, endless);
    const first = turns.enter(AT_ONCE, endless);
    expect(await turns.enter(AT_ONCE, endless)).toBe(false);
    turns.leave(AT_ONCE);
    expect(await first).toBe(true);
  });

  it('creates a wait signal only for a wait', async () => {
    const turns = new Turns();
    const waitSignal = (): AbortSignal => {
      throw new Error('nothing is to be waited for');
    };
    expect(await turns.enter(AT_ONCE, waitSignal)).toBe(true);
  });
});
