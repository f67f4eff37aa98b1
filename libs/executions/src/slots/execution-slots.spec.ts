import { describe, expect, it } from '@jest/globals';
import { ExecutionSlots } from './execution-slots.js';

const never = new AbortController().signal;

function takenSlots(count: number) {
  const slots = new ExecutionSlots(count);
  return { slots, taken: Array.from({ length: count }, () => slots.take()) };
}

describe('a slot whose execution is ending', () => {
  it.each([
    [8, 2],
    [7, 1],
    [4, 1],
    [3, 0],
    [1, 0],
  ])('is free again, of %i slots up to %i at once', (count, most) => {
    const { slots, taken } = takenSlots(count);
    const free = taken.map(({ end }) => {
      end();
      return slots.free;
    });
    expect(free).toEqual(taken.map((_slot, index) => Math.min(index + 1, most)));
  });

  it('does not count twice once the execution has left it', () => {
    const { slots, taken } = takenSlots(4);
    const [first, second] = taken;
    first?.end();
    first?.end();
    first?.leave();
    first?.leave();
    first?.end();
    expect(slots.free).toBe(1);
    second?.leave();
    second?.end();
    expect(slots.free).toBe(2);
    const others = [slots.take(), slots.take()];
    expect([others.length, slots.free]).toEqual([2, 0]);
  });

  it('wakes one waiting caller when it is free, and none when the execution leaves it', async () => {
    const { slots, taken } = takenSlots(4);
    const woken: string[] = [];
    const waits = ['first', 'second'].map((name) => slots.untilFree(never).then(() => woken.push(name)));
    taken[0]?.end();
    await waits[0];
    taken[0]?.leave();
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).toEqual(['first']);
    taken[1]?.leave();
    await waits[1];
    expect(woken).toEqual(['first', 'second']);
  });
});
