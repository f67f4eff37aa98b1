import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { GuardData } from './guard-process.js';

const { beats, hangLimitMs, lookEveryMs, parentPid } = workerData as GuardData;
const STDERR = 2;

let lastBeat = -1;
let silentLooks = 0;

// Looks are counted, not the time between them: a process that was frozen is given time to wake up.
setInterval(() => {
  if (parentPid !== null && process.ppid !== parentPid) end('its parent is gone');
  const beat = Atomics.load(beats, 0);
  silentLooks = beat === lastBeat ? silentLooks + 1 : 0;
  lastBeat = beat;
  if (silentLooks * lookEveryMs >= hangLimitMs) end(`it has not looked at its events for ${hangLimitMs} ms`);
}, lookEveryMs);

/** The main thread, and with it every log, may be stuck. */
function end(reason: string): void {
  writeSync(STDERR, `process ${process.pid} ends itself: ${reason}\n`);
  process.kill(process.pid, 'SIGKILL');
}
