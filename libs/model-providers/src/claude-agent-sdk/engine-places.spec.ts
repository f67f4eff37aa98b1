import { describe, expect, it } from '@jest/globals';
import { EnginePlaces, placesByMemory, type PlaceHolder } from './engine-places.js';

class Holder implements PlaceHolder {
  isEnded = false;
  constructor(public isIdle = false) {}
  end(): void {
    this.isEnded = true;
  }
}

const never = new AbortController().signal;

describe('EnginePlaces', () => {
  it.each([
    [0, 1],
    [2 ** 30, 1],
    [4 * 2 ** 30, 3],
    [4 * 2 ** 30 - 1, 2],
  ])('in %d bytes: %d', (bytes, places) => expect(placesByMemory(bytes)).toBe(places));

  it('go to the next one once one is released', async () => {
    const places = new EnginePlaces(1);
    const [first, second] = [new Holder(), new Holder()];
    expect(await places.take(first, never)).toBe(true);
    const taken = places.take(second, never);
    places.release(first);
    expect([await taken, first.isEnded]).toEqual([true, false]);
  });

  it('are taken from the engine that has waited longest for its tools', async () => {
    const places = new EnginePlaces(2);
    const [older, newer] = [new Holder(true), new Holder(true)];
    for (const one of [newer, older]) await places.take(one, never);
    places.noteIdle(newer);
    expect(await places.take(new Holder(), never)).toBe(true);
    expect([older.isEnded, newer.isEnded]).toEqual([true, false]);
  });

  it('are free again when a working engine begins to wait', async () => {
    const places = new EnginePlaces(1);
    const working = new Holder();
    await places.take(working, never);
    const taken = places.take(new Holder(), never);
    working.isIdle = true;
    places.noteIdle(working);
    expect([await taken, working.isEnded]).toEqual([true, true]);
  });

  it('are not waited for after a stop', async () => {
    const places = new EnginePlaces(1);
    await places.take(new Holder(), never);
    const stop = new AbortController();
    const taken = places.take(new Holder(), stop.signal);
    stop.abort();
    expect(await taken).toBe(false);
  });
});
