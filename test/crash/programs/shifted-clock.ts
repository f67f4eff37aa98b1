// Loaded before a program: on SIGUSR2 the time of day of its process jumps by CLOCK_SHIFT_MS, as after a change of the
// system clock. Monotonic clocks and timers go on, as they do on a real machine.
import { CLOCK_SET } from './program-settings.js';

const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
const RealDate = Date;
let offsetMs = 0;

const now = (): number => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});

process.on('SIGUSR2', () => {
  offsetMs = shiftMs;
  console.log(CLOCK_SET);
});
