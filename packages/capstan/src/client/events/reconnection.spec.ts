import { describe, expect, it } from '@jest/globals';
import { Reconnection } from './reconnection.js';

const GONE = { kind: 'connection' } as const;
const REFUSED = { kind: 'answer', status: 404, code: null, shouldRetry: null, retryAfterMs: null } as const;

describe('a stream that breaks off', () => {
  it('is connected again within the pause of the server, once something came', () => {
    const reconnection = new Reconnection(3, Infinity);
    reconnection.connect();
    reconnection.succeed();
    reconnection.retryMs = 2_000;
    expect([0, 0.5, 1].map((chance) => reconnection.pauseAfter(null, chance))).toEqual([0, 1_000, 2_000]);
  });

  it('is connected again ever more slowly while nothing comes', () => {
    const reconnection = new Reconnection(3, Infinity);
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
      reconnection.connect();
      return reconnection.pauseAfter(null, 1);
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it('is given up before the first connection after so many failures', () => {
    const reconnection = new Reconnection(2, Infinity);
    expect([1, 2, 3].map(() => reconnection.pauseAfter(GONE, 1))).toEqual([500, 1_000, null]);
  });

  it('is not given up after a connection, unless that is asked for', () => {
    const [patient, hasty] = [new Reconnection(2, Infinity), new Reconnection(2, 2)];
    for (const each of [patient, hasty]) {
      each.connect();
      each.succeed();
    }
    expect([1, 2, 3, 4].map(() => patient.pauseAfter(GONE, 1) === null)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([1, 2, 3].map(() => hasty.pauseAfter(GONE, 1) === null)).toEqual([false, false, true]);
  });

  it('is given up where the server refuses', () => {
    const reconnection = new Reconnection(3, Infinity);
    reconnection.connect();
    expect(reconnection.pauseAfter(REFUSED, 1)).toBeNull();
  });

  it('waits at least as long as the server asks for', () => {
    const busy = { ...REFUSED, status: 503, retryAfterMs: 30_000 };
    expect(new Reconnection(3, Infinity).pauseAfter(busy, 0)).toBe(30_000);
  });
});
