import { expect, it } from '@jest/globals';
import { PacedTrigger } from './dispatcher.js';

function aTrigger() {
  const waiting: (() => void)[] = [];
  const passed = { count: 0 };
  const timers = {
    after: (_ms: number, act: () => void) => {
      waiting.push(act);
      return () => undefined;
    },
  };
  const paced = new PacedTrigger(() => (passed.count += 1), 25, timers);
  return { paced, passed, waiting, letTimePass: () => waiting.splice(0).forEach((act) => act()) };
}

it('passes on the first trigger at once, and all that come too early as one', () => {
  const { paced, passed, letTimePass } = aTrigger();
  paced.trigger();
  expect(passed.count).toBe(1);
  for (let early = 0; early < 10; early += 1) paced.trigger();
  expect(passed.count).toBe(1);
  letTimePass();
  expect(passed.count).toBe(2);
});

it('passes on at once again what comes after a pause, and keeps no timer until then', () => {
  const { paced, passed, waiting, letTimePass } = aTrigger();
  paced.trigger();
  letTimePass();
  expect([passed.count, waiting.length]).toEqual([1, 0]);
  paced.trigger();
  expect(passed.count).toBe(2);
});
