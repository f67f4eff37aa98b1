import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { GuardData } from './guard-process.js';
import { continueSilence, silentMs, type Silence } from './silence.js';
import { waitedForProcessorMs } from './waited-for-processor.js';

const { beats, hangLimitMs, lookEveryMs, parentPid } = workerData as GuardData;
const STDERR = 2;

let silence: Silence | null = null;

setInterval(() => {
  if (parentPid !== null && process.ppid !== parentPid) end('its parent is gone');
  const waitedMs = waitedForProcessorMs();
  silence = continueSilence(silence, { beat: Atomics.load(beats, 0), waitedMs });
  if (silentMs(silence, lookEveryMs, waitedMs) >= hangLimitMs)
    end(`it has not looked at its events for ${hangLimitMs} ms`);
}, lookEveryMs);

/** Writes synchronously to stderr, because the main thread and its logger may hang. */
function end(reason: string): void {
  writeSync(STDERR, `process ${process.pid} ends itself: ${reason}\n`);
  process.kill(process.pid, 'SIGKILL');
}
