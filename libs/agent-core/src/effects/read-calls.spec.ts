import { expect, it } from '@jest/globals';
import { aCall } from '../../../../test/support/builders/model-answer.js';
import { readCalls } from './read-calls.js';

it('reads small calls without a break, and gives other work a turn after large ones', async () => {
  const order: string[] = [];
  const wait = (ms: number): Promise<void> => {
    order.push(`turn of ${ms} ms`);
    return Promise.resolve();
  };
  const calls = [
    aCall('a', 'small'),
    aCall('a', 'large', 'x'.repeat(70_000)),
    aCall('a', 'half', 'x'.repeat(40_000)),
    aCall('a', 'other half', 'x'.repeat(40_000)),
    aCall('a', 'last'),
  ];
  const read = ({ callId, arguments: { length } }: { callId: string; arguments: string }): number => {
    order.push(callId);
    return length;
  };
  expect(await readCalls(calls, read, { wait })).toEqual([2, 70_000, 40_000, 40_000, 2]);
  expect(order).toEqual(['small', 'large', 'turn of 0 ms', 'half', 'other half', 'turn of 0 ms', 'last']);
});
